// @group sample: npm test runs a quarter of its tests
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Answer } from '../support/answer.js';
import { type Api, BASE_URL, type Method } from '../support/api-harness.js';
import { expectStatus } from '../support/factories.js';
import { sendRaw } from '../support/raw-request.js';
import { useApi } from '../support/use-api.js';
import { basic } from './contract-cases.js';

const { api, make } = useApi();
const OWN = new URL(BASE_URL).origin;
const ALLOWED = 'https://careers.example.net';
const FOREIGN = 'https://evil.example';

let opened: Api;
beforeAll(async () => {
  opened = await api.beside({ CORS_ORIGINS: [ALLOWED, 'http://localhost:4200'] });
});
afterAll(() => opened.app.close());

type Headers = Readonly<Record<string, string>>;
const from = (origin: string | null, site: string | null = null): Headers => ({
  ...(origin !== null && { origin }),
  ...(site !== null && { 'sec-fetch-site': site }),
});

describe('a request from a page of another site', () => {
  test('that an auto-submitted form sends with a stored Basic credential changes nothing', async () => {
    const { id } = await make.candidate();
    const port = await opened.listen();
    for (const action of ['anonymise', 'resend_activation']) {
      const { status, body } = await sendRaw(
        port,
        [
          `POST /api/v1/candidates/${id}/${action} HTTP/1.1`,
          'Host: jobs.example.com',
          `Authorization: ${basic(`${api.adminToken}:`)}`,
          'Content-Type: application/x-www-form-urlencoded',
          `Origin: ${FOREIGN}`,
          'Sec-Fetch-Site: cross-site',
          'Sec-Fetch-Mode: navigate',
          'Content-Length: 0',
          'Connection: close',
          '',
          '',
        ].join('\r\n'),
      );
      expect([status, body]).toEqual([403, expect.stringContaining('A POST from a page of another site is refused')]);
    }
    expect((await api.get(`/candidates/${id}`)).item['status']).not.toBe('anonymised');
  });

  test('is refused on every route with an unsafe method, except on public boards', async () => {
    const unsafe = api.routes.filter(
      ({ method, url }) => ['POST', 'PUT', 'PATCH', 'DELETE'].includes(method) && !url.startsWith('/public/'),
    );
    expect(unsafe.length).toBeGreaterThan(100);
    for (const { method, url } of unsafe) {
      const path = url.replaceAll(/:\w+/g, '1');
      const answer = await api.request(method, path, { token: null, headers: from(FOREIGN, 'cross-site') });
      expect([method, url, answer.status]).toEqual([method, url, 403]);
    }
  });

  /**
   * Returns true for a request that must be refused: its origin is unknown, or it has no origin and the browser says
   * that another site has sent it.
   */
  const isRefused = (method: string, origin: string | null, site: string | null): boolean => {
    if (['GET', 'HEAD', 'OPTIONS'].includes(method) || origin === ALLOWED) return false;
    if (origin === 'null') return site !== 'same-origin';
    if (origin !== null && origin !== OWN) return true;
    return site === 'cross-site' || site === 'same-site';
  };

  test('is refused exactly when its origin is unknown or its site is another one', async () => {
    const given = fc.record({
      method: fc.constantFrom<Method>('GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'),
      origin: fc.constantFrom(null, 'null', OWN, ALLOWED, FOREIGN, `${OWN}.evil.example`, OWN.replace('https', 'http')),
      site: fc.constantFrom(null, 'same-origin', 'same-site', 'cross-site', 'none'),
    });
    await fc.assert(
      fc.asyncProperty(given, async ({ method, origin, site }) => {
        const { status } = await opened.request(method, '/api/v1/candidates/0', { headers: from(origin, site) });
        expect(status === 403).toBe(isRefused(method, origin, site));
      }),
      { numRuns: 150 },
    );
  });

  test('is refused when CORS_ORIGINS is not set, but a program without these headers is not', async () => {
    expect((await api.post('/candidates/0/anonymise', undefined, { headers: from(ALLOWED) })).status).toBe(403);
    expect((await api.post('/candidates/0/anonymise')).status).toBe(404);
    expect((await api.get('/candidates', { headers: from(FOREIGN, 'cross-site') })).status).toBe(200);
  });
});

describe('the challenge of a 401', () => {
  const challenge = async (headers: Headers): Promise<unknown> =>
    expectStatus(401, await api.get('/me', { token: null, headers })).headers['www-authenticate'];

  test.each<[string, Headers]>([
    ['a page of the own site', from(OWN, 'same-origin')],
    ['an address that a person typed', { 'sec-fetch-site': 'none' }],
    ['a browser that sends no Sec-Fetch-Site', { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }],
  ])('offers no Basic to %s', async (_name, headers) => {
    expect(await challenge(headers)).toBe('Bearer realm="api"');
  });

  test.each<[string, Headers]>([
    ['a program that names no type', {}],
    ['curl', { accept: '*/*', 'user-agent': 'curl/8.5.0' }],
    ['fetch of Node', { accept: '*/*', 'sec-fetch-mode': 'cors', 'user-agent': 'node' }],
  ])('offers Bearer and Basic to %s', async (_name, headers) => {
    expect(await challenge(headers)).toBe('Bearer realm="api", Basic realm="api", charset="UTF-8"');
  });
});

describe('CORS', () => {
  const preflight = (one: Api, origin: string): Promise<Answer> =>
    one.request('OPTIONS', '/api/v1/candidates', {
      token: null,
      headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' },
    });
  const corsHeaders = ({ headers }: Answer): readonly string[] =>
    Object.keys(headers).filter((name) => name.startsWith('access-control-'));

  test('is off without CORS_ORIGINS', async () => {
    expect(corsHeaders(await preflight(api, ALLOWED))).toEqual([]);
    const answer = await api.get('/candidates', { headers: { origin: ALLOWED } });
    expect([answer.status, corsHeaders(answer), answer.headers['vary']]).toEqual([200, [], expect.any(String)]);
    expect(answer.headers['vary']).not.toContain('Origin');
  });

  test('answers the preflight of an origin in CORS_ORIGINS without a token', async () => {
    const { status, headers } = await preflight(opened, ALLOWED);
    expect([status, headers['access-control-allow-origin'], headers['vary']]).toEqual([
      204,
      ALLOWED,
      expect.stringContaining('Origin'),
    ]);
    for (const name of ['Authorization', 'Idempotency-Key', 'If-Match', 'If-None-Match', 'Api-Version'])
      expect(headers['access-control-allow-headers']).toContain(name);
    expect(headers['access-control-allow-methods']).toContain('PATCH');
    expect(headers).not.toHaveProperty('access-control-allow-credentials');
  });

  test('answers no preflight of another origin', async () => {
    expect(corsHeaders(await preflight(opened, FOREIGN))).toEqual([]);
    expect(corsHeaders(await preflight(opened, 'null'))).toEqual([]);
  });

  test('lets an allowed page read answers, refusals and their headers', async () => {
    const headers = from(ALLOWED, 'cross-site');
    const page = expectStatus(200, await opened.get('/candidates', { headers }));
    const exposed = String(page.headers['access-control-expose-headers']).split(', ');
    // Pages may read these headers in every answer: https://fetch.spec.whatwg.org/#cors-safelisted-response-header-name
    const always = [
      'cache-control',
      'content-language',
      'content-length',
      'content-type',
      'connection',
      'date',
      'vary',
    ];
    const named = Object.keys(page.headers).filter(
      (name) =>
        !always.includes(name) && !/^(access-control|keep-alive|strict-transport|transfer|x-content)/.test(name),
    );
    const seen = exposed.map((name) => name.toLowerCase());
    expect(named.filter((name) => !seen.includes(name))).toEqual([]);
    for (const name of ['ETag', 'Link', 'Location', 'RateLimit', 'RateLimit-Policy', 'Retry-After', 'X-Total-Count'])
      expect(exposed).toContain(name);
    expect(page.headers['vary']).toMatch(/Authorization.*, Origin$/);
    const refusal = expectStatus(401, await opened.get('/candidates', { token: null, headers }));
    expect(refusal.headers['access-control-allow-origin']).toBe(ALLOWED);
    const written = await opened.post('/vacancies', { title: 'Gardener' }, { headers });
    expect([written.status, written.headers['access-control-allow-origin']]).toEqual([201, ALLOWED]);
  });
});
