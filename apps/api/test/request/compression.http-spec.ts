// @group sample: npm test runs a quarter of its tests
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Answer, type Item } from '../support/answer.js';
import { inParallel } from '../support/in-parallel.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();
const KIB = 1_024;
const DECODERS = { br: brotliDecompressSync, gzip: gunzipSync } as const;
type Coding = keyof typeof DECODERS;
const CODINGS = Object.keys(DECODERS) as Coding[];

/** Matches the part of an answer that is different for each request. */
const ID = /"request_id":"[^"]+"/g;

let application: Item;

const get = (path: string, headers: Readonly<Record<string, string>>): Promise<Answer> =>
  api.request('GET', path, { headers });
/** Returns the headers that must be equal with and without compression. */
const lasting = ({ headers }: Answer): object => {
  const { date, 'x-request-id': id, 'content-length': length, 'content-encoding': coding, ...others } = headers;
  return { ...others, had: [date, id, length, coding].map((value) => value !== undefined).slice(0, 3) };
};

beforeAll(async () => {
  await inParallel(Array.from({ length: 10 }), 4, async () => void (await make.application()));
  application = await make.application();
});

describe.each(CODINGS)('an answer in %s', (coding) => {
  const encoded = { 'accept-encoding': `${coding}, identity;q=0` };

  test.each<[title: string, path: () => string]>([
    ['a list', () => '/api/v1/applications'],
    ['an item', () => `/api/v1/applications/${application.id}`],
    ['the OpenAPI document', () => '/openapi.json'],
    ['a page', () => '/docs/guides/webhooks/'],
    ['an error', () => `/api/v1/applications?${Array.from({ length: 30 }, (_, index) => `p${index}=1`).join('&')}`],
  ])('has the bytes of %s after decoding', async (_, path) => {
    const plain = await get(path(), {});
    const answer = await get(path(), encoded);
    expect([answer.status, answer.headers['content-encoding']]).toEqual([plain.status, coding]);
    expect(Number(answer.headers['content-length'])).toBe(answer.bytes.length);
    expect(answer.bytes.length).toBeLessThan(plain.bytes.length);
    const comparable = (text: string): string => text.replaceAll(ID, '');
    expect(comparable(DECODERS[coding](answer.bytes).toString())).toBe(comparable(plain.text));
    if (path().startsWith('/api')) expect(lasting(answer)).toEqual(lasting(plain));
  });

  test('has the headers of GET for HEAD, without a body', async () => {
    for (const path of ['/api/v1/applications', '/openapi.json', '/docs/_astro/page.js']) {
      const answer = await get(path, encoded);
      const head = await api.request('HEAD', path, { headers: encoded });
      expect([head.status, head.bytes.length, head.headers['content-encoding']]).toEqual([200, 0, coding]);
      expect(head.headers['content-length']).toBe(answer.headers['content-length']);
      expect(lasting(head)).toEqual(lasting(answer));
    }
  });

  test('has the same compressed bytes for each request of a script and of the OpenAPI document', async () => {
    for (const path of ['/openapi.json', '/docs/_astro/page.js']) {
      const [one, other] = [await get(path, encoded), await get(path, encoded)];
      expect(one.bytes.equals(other.bytes)).toBe(true);
      expect(one.bytes.length * 2.5).toBeLessThan(DECODERS[coding](one.bytes).length);
    }
  });

  test('is converted to the minor version of the request before it is compressed', async () => {
    const headers = { 'api-version': '1.2' };
    const path = `/api/v1/applications/${application.id}/history`;
    const plain = await get(path, headers);
    const answer = await get(path, { ...headers, 'accept-encoding': `${coding}, identity;q=0` });
    expect(JSON.parse(DECODERS[coding](answer.bytes).toString())).toEqual(plain.json);
  });
});

test('compression keeps the ETag, so that conditional requests work with and without compression', async () => {
  const { id } = await make.application();
  const path = `/api/v1/applications/${id}`;
  const encoded = { 'accept-encoding': 'br, identity;q=0' };
  const compressed = await get(path, encoded);
  expect([compressed.headers['content-encoding'], compressed.etag]).toEqual(['br', (await get(path, {})).etag]);
  expect(compressed.etag).toMatch(/^"[\w-]+"$/);

  for (const headers of [encoded, {}]) {
    const unchanged = await get(path, { ...headers, 'if-none-match': compressed.etag });
    expect([unchanged.status, unchanged.bytes.length]).toEqual([304, 0]);
    expect(unchanged.headers).toMatchObject({
      etag: compressed.etag,
      vary: expect.stringContaining('Accept-Encoding'),
    });
    expect(unchanged.headers['content-encoding']).toBeUndefined();
  }
  const stale = await api.request('DELETE', path, { headers: { ...encoded, 'if-match': '"other"' } });
  expect(stale.status).toBe(412);
  const gone = await api.request('DELETE', path, { headers: { ...encoded, 'if-match': compressed.etag } });
  expect([gone.status, gone.headers['content-encoding']]).toEqual([204, undefined]);
});

test('the API sends answers below 1 KiB uncompressed', async () => {
  const answer = await get('/api/v1/me', { 'accept-encoding': 'br, gzip' });
  expect(answer.bytes.length).toBeLessThan(KIB);
  expect([answer.headers['content-encoding'], answer.item.id]).toEqual([undefined, expect.any(Number)]);
  expect(answer.headers['vary']).toContain('Accept-Encoding');
});

test('the API replays a stored answer in the coding of the repeated request', async () => {
  const { id } = await make.vacancy();
  const post = (headers: Readonly<Record<string, string>>): Promise<Answer> =>
    api.post('/applications', { opportunity_id: id, user_id: application['user_id'] ?? userId() }, { headers });
  const userId = (): number => (application['user'] as { readonly id: number }).id;
  const first = await post({ 'idempotency-key': 'compressed' });
  const again = await post({ 'idempotency-key': 'compressed', 'accept-encoding': 'gzip, identity;q=0' });
  expect([first.status, again.status, again.headers['idempotency-replayed']]).toEqual([201, 201, 'true']);
  expect(gunzipSync(again.bytes).toString()).toBe(first.text);
  expect(again.etag).toBe(first.etag);
});
