import { expect, test } from '@jest/globals';
import { candidatesList } from '../generated/sdk.gen.js';
import { createClient } from './create-client.js';
import { items, pages } from './pages.js';

const client = createClient({
  baseUrl: 'http://ats.test',
  fetch: () => Promise.resolve(new Response('id\r\n1\r\n', { headers: { 'content-type': 'text/csv' } })),
});

test.each([
  ['items', items],
  ['pages', pages],
])('the function %s refuses an export, which has no pages', async (_name, read) => {
  const found = read(candidatesList, { client, query: { format: 'csv' } });
  await expect(found.next()).rejects.toThrow("An export has no pages. Leave out format: 'csv'");
});
