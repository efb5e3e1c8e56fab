import { idSchema } from '@ats/domain';
import { z } from 'zod';
import { type ApiVersionDeclaration } from '../api-version.js';
import { ofObject } from '../reshape.js';

/**
 * Exchanges the old and the new name of a property. A body with the name of another version therefore gets a name that
 * its handler rejects as unknown.
 */
const SWAPPED = new Map([
  ['vacancy_id', 'opp_id'],
  ['opp_id', 'vacancy_id'],
]);

/**
 * Matches the property that this version adds, after any number of underscores. Older clients must not set the
 * property, so its name gets one more underscore. The handler then rejects the name as unknown.
 */
const ADDED = /^_*run_config_autoscoring$/;

const newName = (name: string): string => (ADDED.test(name) ? `_${name}` : (SWAPPED.get(name) ?? name));
const oldName = (name: string): string => (ADDED.test(name) ? name.slice(1) : (SWAPPED.get(name) ?? name));

export const version: ApiVersionDeclaration = {
  version: '1.6',
  date: '2024-06-13',
  status: 'stable',
  changelog: 'Copying an application: `opp_id` replaces `vacancy_id`, and `run_config_autoscoring` is added.',
  upgrade: 'Send `opp_id` instead of `vacancy_id`.',
  changes: [
    {
      endpoints: ['POST */copy'],
      request: {
        body: ofObject((body) =>
          Object.fromEntries(Object.entries(body).map(([name, value]) => [newName(name), value])),
        ),
      },
      response: {
        // The error text about an unknown property suggests a property with a similar name. It must suggest the older
        // name.
        errorBody: (json) => json.replaceAll('\\"opp_id\\"', '\\"vacancy_id\\"'),
        violationPath: (pointer) => pointer.replace(/^\/([^/]+)/, (_, name: string) => `/${oldName(name)}`),
      },
      operation: (operation) => ({
        ...operation,
        body: {
          name: 'application_copy',
          schema: z.strictObject({
            vacancy_id: idSchema.describe(
              'Id of the vacancy or event of the copy. It must be open, and of the same kind as that of the original.',
            ),
          }),
          example: { vacancy_id: 12 },
        },
      }),
    },
  ],
};
