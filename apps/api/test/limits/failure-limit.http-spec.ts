// @group sample: npm test runs a quarter of its tests
import { createToken } from '@ats/domain';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Database } from '@ats/postgres';
import { type Answer } from '../support/answer.js';
import { Api } from '../support/api-harness.js';
import { Factories } from '../support/factories.js';
import { rateLimitOf, startLimited } from './limited-api.js';
import { until } from './locked-boards.js';

const LIMIT = 5;

let unlimited: Api;
let make: Factories;
let apis: readonly [Api, Api];
let proxied: Api;

beforeAll(async () => {
  unlimited = await Api.start();
  make = new Factories(unlimited);
  const limits = { RATE_LIMIT: 1_000, AUTH_FAILURE_LIMIT: LIMIT };
  apis = [await startLimited(unlimited, limits), await startLimited(unlimited, limits)];
  proxied = await startLimited(unlimited, { ...limits, TRUSTED_PROXIES: '10.0.0.0/8,fd00::/8' });
});
afterAll(async () => {
  await Promise.all([...apis, proxied].map(({ app }) => app.close()));
  await unlimited.close();
});

interface Failing {
  readonly from: string;
  readonly forwardedFor?: string;
  readonly token?: string | null;
}

const fail = (api: Api, { from, forwardedFor, token = createToken() }: Failing): Promise<Answer> =>
  api.get('/me', {
    token,
    remoteAddress: from,
    ...(forwardedFor !== undefined && { headers: { 'x-forwarded-for': forwardedFor } }),
  });

/** Sends requests one after the other, alternately to the two processes. */
async function statuses(
  count: number,
  failing: (index: number) => Failing,
  servers: readonly Api[] = apis,
): Promise<readonly number[]> {
  const found = [];
  for (let index = 0; index < count; index++)
    found.push((await fail(servers[index % servers.length] ?? unlimited, failing(index))).status);
  return found;
}

const withinLimit = Array.from({ length: LIMIT }, () => 401);

describe('failed authentications', () => {
  test('get 429 instead of 401 above the limit per IP address, counted over all processes', async () => {
    const from = '192.0.2.10';
    expect(await statuses(LIMIT + 2, () => ({ from }))).toEqual([...withinLimit, 429, 429]);
    const { status, problem, headers } = await fail(apis[0], { from, token: null });
    expect([status, problem.message]).toEqual([
      429,
      expect.stringMatching(/^Too many requests without valid credentials from this IP address: try again in \d+ s$/),
    ]);
    expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60);
    expect(rateLimitOf({ headers })).toEqual({ limit: LIMIT, remaining: 0, reset: Number(headers['retry-after']) });
    expect((await fail(apis[0], { from: '192.0.2.11' })).status).toBe(401);
  });

  test('get RateLimit headers for the IP address, not for a credential', async () => {
    const from = '192.0.2.15';
    const headersSeen = [];
    for (let count = 0; count < LIMIT + 2; count++)
      headersSeen.push(rateLimitOf(await fail(apis[count % 2] ?? unlimited, { from })));
    expect(headersSeen.map((rateLimit) => [rateLimit?.limit, rateLimit?.remaining])).toEqual(
      [4, 3, 2, 1, 0, 0, 0].map((remaining) => [LIMIT, remaining]),
    );
    const resets = headersSeen.map((rateLimit) => rateLimit?.reset ?? NaN);
    expect(resets.filter((reset) => !(reset >= 1 && reset <= 60))).toEqual([]);
    expect(
      rateLimitOf(await apis[0].request('GET', '/api/v1/nothing', { remoteAddress: from, token: createToken() })),
    ).toMatchObject({ limit: LIMIT, remaining: 0 });
    expect(rateLimitOf(await apis[0].get('/me', { remoteAddress: from }))?.limit).toBe(1_000);
    expect(rateLimitOf(await apis[0].request('GET', '/health/live', { remoteAddress: from, token: null }))).toBeNull();
    expect(rateLimitOf(await fail(unlimited, { from }))).toBeNull();
  });

  test('include requests with missing or malformed credentials, even on unknown paths', async () => {
    const from = '192.0.2.20';
    const tokens = [null, 'malformed', '\u00e4', `${createToken()}x`, createToken()];
    expect(await statuses(LIMIT, (index) => ({ from, token: tokens[index] ?? null }))).toEqual(withinLimit);
    const ask = (path: string, token: string | null): Promise<Answer> =>
      apis[0].request('GET', path, { token, remoteAddress: from });
    expect((await ask('/api/v1/nothing', createToken())).status).toBe(429);
    // Above the limit, requests without a token still reach unknown paths and public routes.
    expect((await ask('/api/v1/nothing', null)).status).toBe(404);
    expect((await ask('/health/live', null)).status).toBe(200);
  });

  test('never block a valid credential, in any process', async () => {
    const from = '192.0.2.30';
    const old = (await make.credential()).token;
    await apis[0].get('/me', { token: old });
    await statuses(LIMIT + 2, () => ({ from }));
    for (const token of [old, (await make.credential()).token]) {
      for (const api of apis) expect((await fail(api, { from, token })).status).toBe(200);
    }
  });

  test('include requests with a revoked credential', async () => {
    const from = '192.0.2.40';
    const { id, token } = await make.credential();
    expect((await fail(apis[0], { from, token })).status).toBe(200);
    await statuses(LIMIT + 2, () => ({ from }));
    await unlimited.delete(`/credentials/${id}`);
    await until(async () => (await fail(apis[0], { from, token })).status !== 200);
    for (let count = 0; count < 3; count++) expect((await fail(apis[0], { from, token })).status).toBe(429);
  });

  test('need no database query above the limit', async () => {
    const from = '192.0.2.50';
    await statuses(2 * (LIMIT + 1), () => ({ from }));
    const queries = jest.spyOn(apis[0].app.get(Database).pool, 'query');
    const startedAt = performance.now();
    const answers = await Promise.all(Array.from({ length: 300 }, () => fail(apis[0], { from })));
    const tenths = Math.ceil((performance.now() - startedAt) / 100);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([429]));
    // Entries of the audit log are written in the background.
    const lookUps = queries.mock.calls.filter(([query]) => !JSON.stringify(query).includes('audit_entries'));
    expect(lookUps.length).toBeLessThanOrEqual(tenths);
    queries.mockRestore();
  });
});

describe('the counted IP address', () => {
  test('is the /64 network for IPv6', async () => {
    const from = (index: number): string => `2001:db8:1:1:${index}::${index}`;
    expect(await statuses(LIMIT + 1, (index) => ({ from: from(index + 1) }))).toEqual([...withinLimit, 429]);
    expect((await fail(apis[0], { from: '2001:db8:1:2::1' })).status).toBe(401);
  });

  test('ignores forwarding headers of clients', async () => {
    const from = '192.0.2.60';
    const spoofed = (index: number): Failing => ({ from, forwardedFor: `198.51.100.${index}` });
    expect(await statuses(LIMIT + 1, spoofed)).toEqual([...withinLimit, 429]);
    expect(await statuses(LIMIT + 1, (index) => ({ ...spoofed(index), from: '192.0.2.61' }), [proxied])).toEqual([
      ...withinLimit,
      429,
    ]);
  });

  test('is the last address in X-Forwarded-For that is not a trusted proxy', async () => {
    const from = (index: number): Failing => ({
      from: `10.0.0.${index + 1}`,
      forwardedFor: `203.0.113.${index}, 198.51.100.70, 10.1.1.1`,
    });
    expect(await statuses(LIMIT + 1, from, [proxied])).toEqual([...withinLimit, 429]);
    expect((await fail(proxied, { from: '10.0.0.1', forwardedFor: '198.51.100.71' })).status).toBe(401);
    expect((await fail(apis[0], { from: '198.51.100.70' })).status).toBe(429);
  });

  test('is the address of the proxy when the proxy forwards no address', async () => {
    const texts = ['unknown', '', '::g', '1.2.3.4.5', 'a, b'];
    expect(
      await statuses(LIMIT, (index) => ({ from: '10.9.0.1', forwardedFor: texts[index] ?? '-' }), [proxied]),
    ).toEqual(withinLimit);
    expect((await fail(proxied, { from: '10.9.0.1' })).status).toBe(429);
  });
});
