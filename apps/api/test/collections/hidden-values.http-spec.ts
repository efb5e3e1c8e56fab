import { describe, expect, test } from '@jest/globals';
import { type Answer, type Item } from '../support/answer.js';
import { below } from '../support/factories.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();

const VALUE = 'Zacharias';
const ITEMS: readonly [title: string, make: () => Promise<Item>, scope: string, invalid: object][] = [
  [
    'a layout',
    () => make.layout({ columns: [{ title: 'T', datapath: 'application.user.lastname' }] }),
    'layouts',
    { resource: 'candidates' },
  ],
  [
    'a topic',
    () => make.topic({ expression: `application.user.lastname == "${VALUE}"` }),
    'notifications',
    { type: 'POSTING_CREATE' },
  ],
  [
    'a search',
    () => make.configSearch({ resource: 'applications', search: [`application.user.lastname=${VALUE}`] }),
    'searches',
    { resource: 'job_boards' },
  ],
];

describe('the errors of a PATCH', () => {
  test.each(ITEMS)(
    'hide what the patch keeps of %s from a client that cannot read it',
    async (_, item, scope, body) => {
      const path = below((await item()).url);
      const patch = (token: string, change: object): Promise<Answer> =>
        api.request('PATCH', `/api/v1${path}`, { token, body: change });
      const writer = await make.token(`${scope}:write`);
      const refused = await patch(writer, { name: 'N' });
      expect([refused.status, refused.text.includes('application.')]).toEqual([403, false]);
      const { status, text } = await patch(writer, body);
      expect(status).toBe(422);
      expect(text).not.toMatch(new RegExp(`lastname|${VALUE}`));
      const reader = await make.token(`${scope}:write`, `${scope}:read`);
      expect((await patch(reader, body)).text).toContain('lastname');
    },
  );
});
