import { type Client } from '@ats/client';
import { afterEach, expect, jest, test } from '@jest/globals';
import { toolsOf } from './tools.js';

afterEach(() => void jest.restoreAllMocks());

test('the MCP tool for expressions uses an object model that is at most five minutes old', async () => {
  let time = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => time);
  const entry = { type: 'text', is_many: false, target: null, label: null, description: null, values: null };
  const names = ['source'];
  const answers: Readonly<Record<string, () => unknown>> = {
    '/api/v1/me': () => ({ scopes: ['*:read'] }),
    '/api/v1/event_types': () => [{ root: 'application' }],
    '/api/v1/datapaths': () =>
      names.map((name) => ({ ...entry, path: `application.${name}`, used_in: ['expressions'], scopes: [] })),
  };
  const get = ({ url }: { url: string }) => Promise.resolve({ data: answers[url]?.() });
  const tool = toolsOf({ get } as unknown as Client).find(({ name }) => name === 'check_expression');
  const errors = () => tool?.run({ expression: 'application.added == "x"' });
  expect(await errors()).toHaveLength(1);
  names.push('added');
  time = 299_999;
  expect(await errors()).toHaveLength(1);
  time = 300_000;
  expect(await errors()).toEqual([]);
});
