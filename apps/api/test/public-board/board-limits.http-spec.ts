// @group sample: npm test runs a quarter of its tests
import { afterAll, expect, test } from '@jest/globals';
import { type Api } from '../support/api-harness.js';
import { formToken, publicPosting } from '../support/public-boards.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();
const started: Api[] = [];
afterAll(() => Promise.all(started.map(({ app }) => app.close())));

/** Returns a new IP address for each call, because all tests are counted in the same Redis. */
const address = (): string =>
  `2001:db8:${Array.from({ length: 2 }, () => Math.floor(Math.random() * 65_536).toString(16)).join(':')}::1`;

test('the requests of one address to a board are limited', async () => {
  const board = await make.jobBoard({ is_public: true });
  const limited = await api.beside({ BOARD_REQUEST_LIMIT: 2 });
  started.push(limited);
  const remoteAddress = address();
  const read = (from = remoteAddress) =>
    limited.request('GET', `/public/v1/boards/${String(board['code'])}/postings`, { token: null, remoteAddress: from });
  expect([(await read()).status, (await read()).status]).toEqual([200, 200]);
  const { status, item, headers } = await read();
  expect([status, item['limit']]).toEqual([429, 'address']);
  expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  expect((await read(address())).status).toBe(200);
});

test('the uploads of one address to a board are limited', async () => {
  const { code, posting } = await publicPosting(make);
  const limited = await api.beside({ BOARD_UPLOAD_LIMIT: 1 });
  started.push(limited);
  const remoteAddress = address();
  const path = `/public/v1/boards/${code}/postings/${posting.id}/documents`;
  const upload = () =>
    limited.request('POST', `${path}?kind=cv&name=a&token=${formToken(posting.id)}`, {
      token: null,
      remoteAddress,
      payload: 'text',
      headers: { 'content-type': 'text/plain' },
    });
  expect([(await upload()).status, (await upload()).status]).toEqual([201, 429]);
});

test('the applications of one address through a board are limited', async () => {
  const board = await make.jobBoard({ is_public: true });
  const limited = await api.beside({ BOARD_APPLICATION_LIMIT: 1 });
  started.push(limited);
  const remoteAddress = address();
  const apply = () =>
    limited.request('POST', `/public/v1/boards/${String(board['code'])}/postings/1/applications`, {
      token: null,
      remoteAddress,
      body: {},
    });
  expect([(await apply()).status, (await apply()).status]).toEqual([404, 429]);
});
