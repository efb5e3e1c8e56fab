import { describe, expect, test } from '@jest/globals';
import { type Answer, type Item } from '../support/answer.js';
import { below } from '../support/factories.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();

const VALUE = 'Zacharias';
/**
 * Items with hidden values. For each item: how to make it, its scope, an invalid body, and the status of the answer to
 * this body. The status is 403 for a topic, because its type cannot be changed while its expression is hidden.
 */
const ITEMS: readonly [title: string, make: () => Promise<Item>, scope: string, invalid: object, status: number][] = [
  [
    'a layout',
    () => make.layout({ columns: [{ title: 'T', datapath: 'application.user.lastname' }] }),
    'layouts',
    { resource: 'candidates' },
    422,
  ],
  [
    'a topic',
    () => make.topic({ expression: `application.user.lastname == "${VALUE}"` }),
    'notifications',
    { type: 'POSTING_CREATE' },
    403,
  ],
  [
    'a search',
    () => make.configSearch({ resource: 'applications', search: [`application.user.lastname=${VALUE}`] }),
    'searches',
    { resource: 'job_boards' },
    422,
  ],
];

describe('the errors of a PATCH', () => {
  test.each(ITEMS)(
    'hide the kept values of %s from a client that cannot read them',
    async (_, item, scope, body, expected) => {
      const path = below((await item()).url);
      const patch = (token: string, change: object): Promise<Answer> =>
        api.request('PATCH', `/api/v1${path}`, { token, body: change });
      // The topic belongs to another credential, so a client needs the scope `*:admin` to change it.
      const writer = await make.token(`${scope}:write`, '*:admin');
      const renamed = await patch(writer, { name: 'N' });
      expect([renamed.status, renamed.text.includes('application.')]).toEqual([200, false]);
      const { status, text } = await patch(writer, body);
      expect(status).toBe(expected);
      expect(text).not.toMatch(new RegExp(`lastname|${VALUE}`));
      const reader = await make.token(`${scope}:write`, '*:read', '*:admin');
      expect((await patch(reader, body)).text).toContain('lastname');
    },
  );
});
