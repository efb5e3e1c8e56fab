import { idSchema } from '@ats/domain';
import { z } from 'zod';
import { type ApiVersionDeclaration } from '../api-version.js';
import { ofObject } from '../reshape.js';

/** In both directions, so that the name which is unknown to the one is unknown to the other. */
const SWAPPED = new Map([
  ['vacancy_id', 'opp_id'],
  ['opp_id', 'vacancy_id'],
]);

/** Added by this version, so unknown before: all that is called like it moves by one, and none gets its name. */
const ADDED = /^_*run_config_autoscoring$/;

const newName = (name: string): string => (ADDED.test(name) ? `_${name}` : (SWAPPED.get(name) ?? name));
const oldName = (name: string): string => (ADDED.test(name) ? name.slice(1) : (SWAPPED.get(name) ?? name));

export const version: ApiVersionDeclaration = {
  version: '1.6',
  date: '2024-06-13',
  status: 'stable',
  changelog: 'Copying an application: `opp_id` replaces `vacancy_id`, and `run_config_autoscoring` is added.',
  upgrade: 'Send `opp_id` in place of `vacancy_id`.',
  changes: [
    {
      endpoints: ['POST */copy'],
      request: {
        body: ofObject((body) =>
          Object.fromEntries(Object.entries(body).map(([name, value]) => [newName(name), value])),
        ),
      },
      response: { faultPath: (pointer) => pointer.replace(/^\/([^/]+)/, (_, name: string) => `/${oldName(name)}`) },
      operation: (operation) => ({
        ...operation,
        body: {
          name: 'application_copy',
          schema: z.strictObject({
            vacancy_id: idSchema.describe(
              'The vacancy or event that the copy is for: one of the kind that the application is for, and open.',
            ),
          }),
          example: { vacancy_id: 12 },
        },
      }),
    },
  ],
};
