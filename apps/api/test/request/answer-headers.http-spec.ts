// @group sample: npm test runs a quarter of its tests
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Api } from '../support/api-harness.js';
import { expectStatus } from '../support/factories.js';
import { rawRequest, sendRaw } from '../support/raw-request.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();

describe('every answer', () => {
  test('has X-Content-Type-Options: nosniff, with a route and without, with a token and without', async () => {
    const requests = [...api.routes.map(({ url }) => url.replaceAll(/:\w+/g, '1')), '/unknown', '/api/v1/%ZZ'];
    for (const path of new Set(requests)) {
      for (const token of [api.adminToken, null]) {
        const { headers } = await api.request('GET', path, { token });
        expect([path, headers['x-content-type-options']]).toEqual([path, 'nosniff']);
      }
    }
  });

  test('below the prefix of the API is stored by no cache', async () => {
    for (const { url } of api.routes.filter((route) => route.url.startsWith('/api/v1/'))) {
      const { headers } = await api.request('GET', url.replaceAll(/:\w+/g, '0'));
      expect([url, headers['cache-control']]).toEqual([url, 'no-store']);
    }
    expect((await api.get('/candidates', { token: null })).headers['cache-control']).toBe('no-store');
    expect((await api.get('/unknown')).headers['cache-control']).toBe('no-store');
  });
});

describe('Cache-Control', () => {
  test('does not affect ETag and 304', async () => {
    for (const path of [`/candidates/${(await make.candidate()).id}`, `/job_boards/${(await make.jobBoard()).id}`]) {
      const { headers } = expectStatus(200, await api.get(path));
      const again = await api.get(path, { headers: { 'if-none-match': String(headers['etag']) } });
      expect([again.status, again.headers['etag'], again.headers['cache-control']]).toEqual([
        304,
        headers['etag'],
        'no-store',
      ]);
    }
  });
});

describe('Strict-Transport-Security', () => {
  let plain: Api;
  beforeAll(async () => {
    plain = await api.beside({ PUBLIC_BASE_URL: 'http://localhost:3000' });
  });
  afterAll(() => plain.app.close());

  test('is sent exactly when the public address is https', async () => {
    const header = 'strict-transport-security';
    for (const path of ['/candidates', '/unknown']) {
      expect((await api.get(path)).headers[header]).toBe('max-age=31536000');
      expect((await plain.get(path)).headers).not.toHaveProperty(header);
    }
  });
});

describe('a second Host header', () => {
  test('gets 400 with any value and in any case', async () => {
    const port = await api.listen();
    const send = (...hosts: readonly string[]) =>
      sendRaw(port, rawRequest('GET /health/live HTTP/1.1', ...hosts, 'Accept: */*'));
    const answers = [
      await send('Host: a.example', 'Host: b.example'),
      await send('Host: a.example', 'hOST: a.example'),
      await send('Host: a.example'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 200]);
    expect(answers[0]?.body).toContain('A request must have one Host header');
  });
});

describe('/openapi.json', () => {
  const read = (headers: Readonly<Record<string, string>> = {}, query = '') =>
    api.request('GET', `/openapi.json${query}`, { token: null, headers });

  test('has a weak ETag for each version, and answers 304 when If-None-Match contains it', async () => {
    const { headers } = expectStatus(200, await read());
    expect(headers['etag']).toMatch(/^W\/"[\w-]{27}"$/);
    expect([headers['cache-control'], headers['vary']]).toEqual([
      'public, max-age=300',
      'Api-Version, Accept-Language, Accept-Encoding',
    ]);
    const again = await read({ 'if-none-match': `"x", ${headers['etag']}` });
    expect([again.status, again.text, again.headers['etag']]).toEqual([304, '', headers['etag']]);
    expect((await read({}, '?version=1.2')).headers['etag']).not.toBe(headers['etag']);
  });

  test.each([
    ['br', (body: string) => brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } })],
    ['gzip', (body: string) => gzipSync(body, { level: 9 })],
  ] as const)('is compressed with %s once for all requests', async (coding, compress) => {
    const cpu = async (work: () => Promise<unknown>): Promise<number> => {
      const before = process.cpuUsage();
      await work();
      const { user, system } = process.cpuUsage(before);
      return user + system;
    };
    const request = async (): Promise<void> => {
      const answer = expectStatus(200, await read({ 'accept-encoding': coding }));
      expect(answer.headers['content-encoding']).toBe(coding);
    };
    const { text } = await read();
    const compression = await cpu(() => Promise.resolve(compress(text)));
    // Sends the requests one after the other. Otherwise the processor time of one would include that of others.
    const requests: number[] = [];
    for (let repeat = 0; repeat < 10; repeat++) requests.push(await cpu(request));
    expect(Math.min(...requests)).toBeLessThan(compression);
  });
});
