// @group split: npm test sends each request to a quarter of the collections
import { beforeAll, describe, expect, test } from '@jest/globals';
import { makeContractData } from '../request/contract-cases.js';
import { type Target, targetsOf } from '../request/request-table.js';
import { sampleOf } from '../support/long-part.js';
import { rawRequest, type RawAnswer, sendRaw } from '../support/raw-request.js';
import { useApi } from '../support/use-api.js';

// The rate limit is on, because otherwise answers would lack the headers of the limits. It is high, so that no request
// reaches it.
const { api, make } = useApi({ RATE_LIMIT: 100_000 });
const MAX_HEAD_BYTES = 8 * 1024;
/**
 * Maximum length of a query string. Node accepts 16 KiB of request line and headers, and these tests also send other
 * headers.
 */
const MAX_QUERY_BYTES = 15_800;
const LONG_REQUEST_ID = 'i'.repeat(128);
let port: number;
let lists: readonly Target[];

beforeAll(async () => {
  await makeContractData(api, make);
  // The cursors contain names. Names with characters of three bytes make the longest cursors.
  for (let count = 0; count < 3; count++)
    await make.candidate({ firstname: '語'.repeat(80), lastname: '名'.repeat(80), current_title: '題'.repeat(80) });
  port = await api.listen();
  const targets = await targetsOf(api);
  const byBody = new Set(targets.filter(({ url }) => url.endsWith('/query')).map(({ url }) => url));
  lists = targets.filter(({ method, url }) => method === 'GET' && byBody.has(`${url}/query`));
});

const send = (line: string, body?: string, ...headers: readonly string[]): Promise<RawAnswer> => {
  const length =
    body === undefined ? [] : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`];
  const head = rawRequest(
    `${line} HTTP/1.1`,
    'Host: a',
    `Authorization: Bearer ${api.adminToken}`,
    `X-Request-Id: ${LONG_REQUEST_ID}`,
    ...length,
    ...headers,
  );
  return sendRaw(port, head + (body ?? ''));
};

/** False for the members of selections, which take no conditions. */
const takesSearch = ({ url }: Target): boolean => !url.endsWith('/members');
const IDS = Array.from({ length: 1_000 }, (_, index) => index + 1);
const LISTS = `search=/id={${IDS.join(',')}}`;
const OTHER_LIST = `&search=/id!={${'7777777,'.repeat(280)}7}`;

const QUERIES: readonly (readonly [title: string, query: (target: Target) => string])[] = [
  [
    'the longest URL',
    (target) =>
      takesSearch(target) ? `per_page=1&${LISTS}${OTHER_LIST.repeat(5)}` : `per_page=1${'&'.repeat(15_000)}`,
  ],
  ['a thousand ids', (target) => (takesSearch(target) ? `${LISTS}&per_page=1` : 'per_page=1&page=1')],
  ['separators', () => `per_page=1${'&'.repeat(MAX_QUERY_BYTES - 10)}`],
  [
    'the longest query that links repeat',
    (target) =>
      `per_page=1${takesSearch(target) ? '&sort=id!desc&search=/url!=' : ''}`.padEnd(
        1_500,
        takesSearch(target) ? 'x' : '&',
      ),
  ],
  [
    'characters that links escape',
    (target) =>
      `per_page=1${takesSearch(target) ? '&search=/url!=' : ''}`.padEnd(1_500, takesSearch(target) ? '"' : '&'),
  ],
];

/** Returns the answers whose headers are too large or that have an unexpected status. */
const violationsIn = async (
  targets: readonly Target[],
  statuses: readonly number[],
  request: (target: Target) => Promise<RawAnswer>,
): Promise<readonly string[]> => {
  const found: string[] = [];
  for (const target of targets) {
    const { status, headBytes, body } = await request(target);
    if (!statuses.includes(status)) found.push(`${target.path}: ${status} ${body.slice(0, 300)}`);
    if (headBytes >= MAX_HEAD_BYTES) found.push(`${target.path}: ${headBytes} bytes`);
  }
  return found;
};

describe('all headers of an answer together stay below 8 KiB', () => {
  test.each(QUERIES)('for a list with %s', async (_, query) => {
    expect(lists.length).toBeGreaterThan(20);
    const violations = await violationsIn(sampleOf(lists), [200], (target) =>
      send(`GET ${target.path}?${query(target)}`, undefined, 'Accept-Encoding: br, gzip'),
    );
    expect(violations).toEqual([]);
  });

  test('for a list that a body with a thousand ids and twenty conditions asks for', async () => {
    const search = [`/id={${IDS.join(',')}}`, ...IDS.slice(0, 19).map((id) => `/url!=${String(id).repeat(1_000)}`)];
    const violations = await violationsIn(sampleOf(lists), [200], (target) =>
      send(`POST ${target.path}/query`, JSON.stringify({ per_page: 1, ...(takesSearch(target) && { search }) })),
    );
    expect(violations).toEqual([]);
  });

  test('for a list with the longest cursors, which long links lack', async () => {
    const sort = ['lastname', 'firstname', 'current_title'].map((name) => `sort=${name}!desc`).join('&');
    for (const length of [0, 1_200, 1_500, 4_000]) {
      const query = `per_page=1&page=2&${sort}&search=/url!=`.padEnd(length, 'x');
      const { status, headers, headBytes } = await send(`GET /api/v1/candidates?${query}`);
      expect([length, status, headBytes < MAX_HEAD_BYTES]).toEqual([length, 200, true]);
      expect(headers['link']).toContain('after=');
      expect(headers['link']?.includes('query=')).toBe(length > 1_200);
    }
  });

  test('for error answers', async () => {
    const long = 'x'.repeat(MAX_QUERY_BYTES - 200);
    for (const [status, line, body, ...headers] of [
      [404, `GET /api/v1/${long}`],
      [404, `GET /api/v1/candidates/${long}`],
      [405, `PUT /api/v1/candidates?${long}`, '{}'],
      [400, `GET /api/v1/candidates?${long}=1`],
      [400, `GET /api/v1/candidates?query=${long}`],
      [400, 'GET /api/v1/candidates', undefined, `Api-Version: ${long}`],
      [406, 'GET /api/v1/candidates', undefined, `Accept-Language: ${long}`],
      [431, `GET /api/v1/candidates?${long.repeat(2)}`],
      [422, 'POST /api/v1/candidates', JSON.stringify({ [long.repeat(20)]: 1 })],
      [400, 'POST /api/v1/candidates/query', JSON.stringify({ [long.repeat(20)]: 1 })],
      [204, 'OPTIONS /api/v1/candidates'],
    ] as const) {
      const answer = await send(line, body, ...headers);
      expect([line.slice(0, 50), answer.status]).toEqual([line.slice(0, 50), status]);
      expect(answer.headBytes).toBeLessThan(MAX_HEAD_BYTES);
    }
  });
});
