// @group sample: npm test runs a quarter of its tests
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Answer } from '../support/answer.js';
import { Api, type RequestOptions } from '../support/api-harness.js';
import { Factories } from '../support/factories.js';
import { rateLimitOf, startLimited } from './limited-api.js';
import { rawRequest, sendRaw } from '../support/raw-request.js';

const LIMIT = 20;
/** Length of a window in seconds. It is much longer than a test, so that no window ends during a test. */
const WINDOW_S = 900;

let unlimited: Api;
let make: Factories;
/** Two processes of the API that share their counters. */
let apis: readonly [Api, Api];
let generous: Api;

beforeAll(async () => {
  unlimited = await Api.start();
  make = new Factories(unlimited);
  const limits = { RATE_LIMIT_WINDOW: WINDOW_S };
  apis = [await startLimited(unlimited, limits), await startLimited(unlimited, limits)];
  generous = await startLimited(unlimited, { RATE_LIMIT: 1_000, RATE_LIMIT_WINDOW: 3_600 });
});
afterAll(async () => {
  await Promise.all([...apis, generous].map(({ app }) => app.close()));
  await unlimited.close();
});

const newToken = async (scopes: readonly string[] = ['*:read', '*:write']): Promise<string> =>
  (await make.credential({ scopes })).token;

const burst = (count: number, token: string, servers: readonly Api[] = apis): Promise<readonly Answer[]> =>
  Promise.all(
    Array.from({ length: count }, (_, index) => (servers[index % servers.length] ?? unlimited).get('/me', { token })),
  );

const withStatus = (answers: readonly Answer[], status: number): readonly Answer[] =>
  answers.filter((answer) => answer.status === status);

describe('the rate limit', () => {
  test('allows exactly the limit over all processes, with RateLimit headers on every answer', async () => {
    const answers = await burst(3 * LIMIT, await newToken());
    const passed = withStatus(answers, 200).map(rateLimitOf);
    expect(passed.map((rateLimit) => rateLimit?.remaining).sort((a = 0, b = 0) => b - a)).toEqual(
      Array.from({ length: LIMIT }, (_, index) => LIMIT - 1 - index),
    );
    const refused = withStatus(answers, 429);
    expect(refused).toHaveLength(2 * LIMIT);
    for (const answer of refused) {
      const rateLimit = rateLimitOf(answer);
      expect(rateLimit).toEqual({ limit: LIMIT, remaining: 0, reset: expect.any(Number) });
      expect(answer.headers['retry-after']).toBe(String(rateLimit?.reset));
    }
    for (const rateLimit of answers.map(rateLimitOf)) {
      expect(rateLimit?.reset).toBeGreaterThanOrEqual(1);
      expect(rateLimit?.reset).toBeLessThanOrEqual(WINDOW_S);
    }
  });

  test('counts each credential separately', async () => {
    const [one, other] = [await newToken(), await newToken()];
    expect(withStatus(await burst(LIMIT + 1, one), 429)).toHaveLength(1);
    expect(withStatus(await burst(LIMIT, other), 200)).toHaveLength(LIMIT);
  });

  test('starts a window with the first request, and allows requests again after Retry-After', async () => {
    // A burst of requests must be answered within one window. A busy machine needs a longer window for this.
    for (let seconds = 1, isDone = false; !isDone; seconds *= 3) {
      const hurried = await startLimited(unlimited, { RATE_LIMIT_WINDOW: seconds });
      try {
        isDone = await usesUpWindows(hurried, seconds);
      } finally {
        await hurried.app.close();
      }
    }
  });

  /**
   * Uses up several windows.
   * @returns false when a burst took so long that its window may have ended
   */
  async function usesUpWindows(hurried: Api, seconds: number): Promise<boolean> {
    const token = await newToken();
    for (let window = 0; window < 2; window++) {
      const began = performance.now();
      const answers = await burst(LIMIT + 5, token, [hurried]);
      if (performance.now() - began >= seconds * 1_000) return false;
      expect([withStatus(answers, 200).length, withStatus(answers, 429).length]).toEqual([LIMIT, 5]);
      const retryAfter = Number(withStatus(answers, 429)[0]?.headers['retry-after']);
      expect([retryAfter >= 1, retryAfter <= seconds]).toEqual([true, true]);
      // Waits a millisecond longer, because a timer may run a fraction of a millisecond too early.
      await sleep(retryAfter * 1_000 + 1);
    }
    return true;
  }

  test('shows one remaining request less after each request of a window', async () => {
    const token = await newToken();
    const seen = [];
    for (let count = 0; count < 6; count++)
      seen.push(rateLimitOf(await (apis[count % 2] ?? unlimited).get('/me', { token })));
    expect(seen.map((rateLimit) => rateLimit?.remaining)).toEqual([19, 18, 17, 16, 15, 14]);
    const resets = seen.map((rateLimit) => rateLimit?.reset ?? 0);
    expect(resets).toEqual([...resets].sort((a, b) => b - a));
  });
});

describe('a rejected request', () => {
  test.each([
    ['en', `Too many requests: the limit is ${LIMIT} in ${WINDOW_S} s, try again in`],
    ['de', `Zu viele Anfragen: höchstens ${LIMIT} in ${WINDOW_S} s sind erlaubt, ein neuer Versuch ist in`],
  ])('is answered in its language (%s) and version', async (language, message) => {
    const token = await newToken();
    await burst(LIMIT, token);
    for (const path of ['/api/v1/me', '/api/v1/nothing', '/api/v1/candidates/1', '/api/v1/%E0%A4%A']) {
      const { status, problem, headers } = await apis[0].request('GET', path, {
        token,
        headers: { 'accept-language': language, 'api-version': '1.3' },
      });
      expect([path, status, problem]).toEqual([
        path,
        429,
        { message: expect.stringContaining(message), limit: 'rate', request_id: headers['x-request-id'] },
      ]);
      expect([headers['content-language'], headers['api-version']]).toEqual([language, '1.3']);
      expect(headers['vary']).toContain('Authorization');
    }
  });

  test('changes nothing and leaves its Idempotency-Key unused', async () => {
    const token = await newToken();
    await burst(LIMIT, token);
    const headers = { 'idempotency-key': 'refused once' };
    const code = `refused-${Date.now()}`;
    expect((await apis[0].post('/job_boards', { name: 'Refused', code }, { token, headers })).status).toBe(429);
    expect((await unlimited.get(`/job_boards?search=code=${code}`)).items).toEqual([]);
    expect(
      (await unlimited.post('/job_boards', { name: 'Another', code: `${code}-2` }, { token, headers })).status,
    ).toBe(201);
  });
});

describe('the RateLimit headers', () => {
  let token: string;
  let remaining: number;
  let board: Answer;
  beforeAll(async () => {
    token = await newToken(['job_boards:read', 'job_boards:write', 'vacancies:read']);
    board = await unlimited.get(new URL((await make.jobBoard()).url).pathname.replace(/^.*\/api\/v1/, ''));
    remaining = rateLimitOf(await generous.get('/me', { token }))?.remaining ?? NaN;
  });

  const path = (): string => `/api/v1/job_boards/${board.item.id}`;
  const body = { name: 'Counted', code: 'counted' };
  const key = { 'idempotency-key': 'counted' };
  type Kind = readonly [
    status: number,
    name: string,
    method: Parameters<Api['request']>[0],
    path: string | (() => string),
    options?: () => RequestOptions,
  ];
  const kinds: readonly Kind[] = [
    [200, 'a list', 'GET', '/api/v1/job_boards'],
    [200, 'an item', 'GET', path],
    [200, 'HEAD', 'HEAD', path],
    [204, 'OPTIONS', 'OPTIONS', path],
    [200, 'an item in an older version', 'GET', path, () => ({ headers: { 'api-version': '1.2' } })],
    [304, 'not modified', 'GET', path, () => ({ headers: { 'if-none-match': board.etag } })],
    [201, 'a new item', 'POST', '/api/v1/job_boards', () => ({ body, headers: key })],
    [201, 'a replayed answer', 'POST', '/api/v1/job_boards', () => ({ body, headers: key })],
    [200, 'a replaced item', 'PUT', path, () => ({ body: { name: 'Changed', code: 'changed' } })],
    [400, 'an unknown parameter', 'GET', '/api/v1/job_boards?serach=1'],
    [400, 'an unknown version', 'GET', path, () => ({ headers: { 'api-version': '0.1' } })],
    [400, 'a body that is not JSON', 'POST', '/api/v1/job_boards', () => ({ payload: '{' })],
    [400, 'a path that cannot be decoded', 'GET', '/api/v1/%E0%A4%A'],
    [403, 'a missing scope', 'GET', '/api/v1/candidates'],
    [404, 'an unknown item', 'GET', '/api/v1/job_boards/2147483647'],
    [404, 'an unknown path', 'GET', '/api/v1/nothing'],
    [404, 'a path outside the API', 'GET', '/nothing'],
    [405, 'a method that the path lacks', 'POST', path],
    [406, 'an unsupported language', 'GET', path, () => ({ headers: { 'accept-language': 'tlh' } })],
    [411, 'a PUT without Content-Length', 'PUT', path, () => ({ payload: '' })],
    [412, 'a stale ETag', 'DELETE', path, () => ({ headers: { 'if-match': '"stale"' } })],
    [
      413,
      'a body that is too large',
      'POST',
      '/api/v1/job_boards',
      () => ({ payload: `"${'a'.repeat(1024 * 1024)}"` }),
    ],
    [
      415,
      'a body of another media type',
      'POST',
      '/api/v1/job_boards',
      () => ({ payload: 'a', headers: { 'content-type': 'text/plain' } }),
    ],
    [422, 'an invalid body', 'POST', '/api/v1/job_boards', () => ({ body: {} })],
    [
      422,
      'an Idempotency-Key of another request',
      'POST',
      '/api/v1/job_boards',
      () => ({ body: { ...body, name: 'Other' }, headers: key }),
    ],
    [204, 'a deleted item', 'DELETE', path],
  ];

  test.each(kinds.map((kind) => [kind.slice(0, 2).join(': '), kind] as const))(
    'are in the answer to a request with a credential: %s',
    async (_title, [status, , method, where, options]) => {
      const answer = await generous.request(method, typeof where === 'string' ? where : where(), {
        token,
        ...options?.(),
      });
      expect([answer.status, rateLimitOf(answer)]).toEqual([
        status,
        { limit: 1_000, remaining: (remaining -= 1), reset: expect.any(Number) },
      ]);
    },
  );

  test('are in the answer 500', async () => {
    await unlimited.database.query('ALTER TABLE job_boards RENAME TO job_boards_away');
    try {
      const answer = await generous.get('/job_boards', { token });
      expect([answer.status, rateLimitOf(answer)?.remaining]).toEqual([500, (remaining -= 1)]);
    } finally {
      await unlimited.database.query('ALTER TABLE job_boards_away RENAME TO job_boards');
    }
  });

  test('are in the answers 417 and 400 that come before routing', async () => {
    const port = await generous.listen();
    const answers = await Promise.all([
      sendRaw(
        port,
        rawRequest('GET /api/v1/me HTTP/1.1', 'Host: a', `Authorization: Bearer ${token}`, 'Expect: a-pony'),
      ),
      sendRaw(port, rawRequest('GET /api/v1/me HTTP/1.1', `Authorization: Bearer ${token}`)),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([417, 400]);
    expect(answers.map((answer) => rateLimitOf(answer)?.remaining).sort((a = 0, b = 0) => b - a)).toEqual([
      remaining - 1,
      remaining - 2,
    ]);
  });
});

describe('the RateLimit headers', () => {
  test.each(['/health/live', '/docs'])('are absent on the public path %s, even with a token', async (path) => {
    const token = await newToken();
    for (let count = 0; count < 3; count++)
      expect(rateLimitOf(await apis[0].request('GET', path, { token }))).toBeNull();
    expect(rateLimitOf(await apis[0].get('/me', { token }))?.remaining).toBe(LIMIT - 1);
  });

  test('are absent on public routes', async () => {
    for (const path of ['/api/v1/nothing', '/openapi.json', '/docs', '/health/live'])
      expect(rateLimitOf(await apis[0].request('GET', path, { token: null, remoteAddress: '192.0.2.1' }))).toBeNull();
  });

  test('are absent when no limit is configured', async () => {
    const answers = await burst(LIMIT + 5, await newToken(), [unlimited]);
    expect(answers.map((answer) => [answer.status, rateLimitOf(answer)])).toEqual(
      Array.from({ length: LIMIT + 5 }, () => [200, null]),
    );
  });
});
