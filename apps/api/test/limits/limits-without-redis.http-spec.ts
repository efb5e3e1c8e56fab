import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Answer } from '../support/answer.js';
import { Api } from '../support/api-harness.js';
import { Factories } from '../support/factories.js';
import { rateLimitOf } from './limited-api.js';
import { OwnRedis } from './own-redis.js';

const LIMIT = 5;
const WINDOW_S = 3_600;
/** The limits must be enforced again within this time after Redis has recovered. */
const BACK_WITHIN_MS = 2_000;
/** Tolerance for a busy machine. */
const SLACK_MS = 3_000;

let redis: OwnRedis;
let unlimited: Api;
let api: Api;
let make: Factories;

beforeAll(async () => {
  redis = await OwnRedis.start();
  unlimited = await Api.start();
  make = new Factories(unlimited);
  api = await unlimited.beside({
    REDIS_URL: redis.url,
    RATE_LIMIT: LIMIT,
    RATE_LIMIT_WINDOW: WINDOW_S,
    AUTH_FAILURE_LIMIT: LIMIT,
  });
});
afterAll(async () => {
  await api.app.close();
  await unlimited.close();
  await redis.close();
});

const newToken = async (): Promise<string> => (await make.credential()).token;
const me = (token: string): Promise<Answer> => api.get('/me', { token });

interface Timed {
  readonly status: number;
  readonly remaining: number | undefined;
  readonly ms: number;
}

async function timed(token: string): Promise<Timed> {
  const startedAt = performance.now();
  const answer = await me(token);
  return { status: answer.status, remaining: rateLimitOf(answer)?.remaining, ms: performance.now() - startedAt };
}

async function oneByOne(count: number, token: string): Promise<readonly Timed[]> {
  const answers = [];
  for (let index = 0; index < count; index++) answers.push(await timed(token));
  return answers;
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

/** Expects that all requests pass, with the headers of a new window. */
function expectUnlimited(answers: readonly Timed[]): void {
  expect(answers.map(({ status, remaining }) => [status, remaining])).toEqual(answers.map(() => [200, LIMIT - 1]));
}

/** Expects that the limit is enforced, for a new credential by default. */
async function expectLimited(token?: string): Promise<void> {
  const statuses = (await oneByOne(LIMIT + 1, token ?? (await newToken()))).map(({ status }) => status);
  expect(statuses).toEqual([...Array.from({ length: LIMIT }, () => 200), 429]);
}

/** Resolves when requests are counted again. Fails after the allowed time. */
async function expectBack(): Promise<void> {
  const startedAt = performance.now();
  for (;;) {
    const token = await newToken();
    await me(token);
    const second = await timed(token);
    if (second.remaining === LIMIT - 2) break;
    expect(performance.now() - startedAt).toBeLessThan(BACK_WITHIN_MS + SLACK_MS);
  }
  await expectLimited();
}

describe('limits', () => {
  test('send no command to Redis for a client above the limit', async () => {
    const token = await newToken();
    await expectLimited(token);
    const calls = async (): Promise<number> =>
      Number(/cmdstat_evalsha:calls=(\d+)/.exec(await redis.client.info('commandstats'))?.[1] ?? 0);
    const before = await calls();
    expect(
      new Set((await Promise.all(Array.from({ length: 200 }, () => me(token)))).map(({ status }) => status)),
    ).toEqual(new Set([429]));
    expect(await calls()).toBe(before);
  });

  test('let all requests pass at full speed while Redis is unavailable, and are enforced afterwards', async () => {
    const [token, refused] = [await newToken(), await newToken()];
    await expectLimited(refused);
    const usual = median((await oneByOne(LIMIT, await newToken())).map(({ ms }) => ms));
    await redis.kill();
    const answers = [...(await oneByOne(30, token)), ...(await oneByOne(2, refused))];
    expectUnlimited(answers);
    expect(median(answers.map(({ ms }) => ms))).toBeLessThan(usual + 20);
    // A request without a valid credential still gets 401.
    for (let count = 0; count < LIMIT + 2; count++) expect((await api.get('/me', { token: null })).status).toBe(401);
    await redis.start();
    await expectBack();
  });

  test('let requests pass while Redis hangs; only the first request waits 0.1 s', async () => {
    const token = await newToken();
    expect((await timed(token)).remaining).toBe(LIMIT - 1);
    redis.signal('SIGSTOP');
    try {
      const startedAt = performance.now();
      const first = await Promise.all(Array.from({ length: 20 }, () => timed(token)));
      expectUnlimited(first);
      expect(performance.now() - startedAt).toBeLessThan(100 + SLACK_MS);
      const next = [];
      while (performance.now() - startedAt < 1_500) next.push(await timed(token));
      expectUnlimited(next);
      // No request waits to find out that Redis still hangs.
      expect(next.filter(({ ms }) => ms >= 95).length).toBeLessThanOrEqual(1 + next.length / 20);
    } finally {
      redis.signal('SIGCONT');
    }
    await expectBack();
  });

  test.each([
    ['takes no writes', () => redis.client.replicaof('127.0.0.1', 1), () => redis.client.replicaof('NO', 'ONE')],
    ['is full', () => redis.client.config('SET', 'maxmemory', '1'), () => redis.client.config('SET', 'maxmemory', '0')],
  ])('let requests pass while Redis %s', async (_what, spoil, mend) => {
    const token = await newToken();
    await me(token);
    await spoil();
    expectUnlimited(await oneByOne(LIMIT + 3, token));
    await mend();
    await expectBack();
  });

  test('are enforced after Redis was flushed', async () => {
    const token = await newToken();
    await me(token);
    await redis.client.flushall();
    await redis.client.script('FLUSH');
    await expectLimited(token);
  });

  test('let requests pass while Redis loads its data', async () => {
    await redis.client.eval(`for index = 1, 2000 do redis.call('SET', 'ballast' .. index, 'x') end`, 0);
    await redis.client.save();
    await redis.kill();
    // Redis loads slowly because of these settings. Until it is done, it answers that it is loading.
    const started = redis.start({ 'key-load-delay': '500', 'loading-process-events-interval-bytes': '1024' });
    const token = await newToken();
    const isLoading = (): Promise<boolean> =>
      redis.client.ping().then(
        () => false,
        (error: Error) => error.message.startsWith('LOADING'),
      );
    const answers = [];
    while (await isLoading()) {
      const answer = await timed(token);
      if (await isLoading()) answers.push(answer);
    }
    expect(answers).not.toEqual([]);
    expectUnlimited(answers);
    await started;
    await expectBack();
  });
});
