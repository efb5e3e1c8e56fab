// @group sample: npm test runs a quarter of its tests
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { COMMAND_TIMEOUT_MS, RedisLink } from '../../src/config/redis-link.js';
import { type Answer } from '../support/answer.js';
import { Api } from '../support/api-harness.js';
import { Factories } from '../support/factories.js';
import { ownMsOf } from '../support/own-time.js';
import { rateLimitOf, startLimited } from './limited-api.js';
import { until } from './locked-boards.js';
import { OwnRedis } from './own-redis.js';

const LIMIT = 5;
const WINDOW_S = 3_600;
/** Time in ms after the recovery of Redis within which limits must be enforced again. */
const BACK_WITHIN_MS = 2_000;
/** Tolerance in ms for the time of requests and servers, which is a part of the measured time. */
const SLACK_MS = 3_000;

let redis: OwnRedis;
let unlimited: Api;
let api: Api;
let make: Factories;

beforeAll(async () => {
  redis = await OwnRedis.start();
  unlimited = await Api.start();
  make = new Factories(unlimited);
  api = await startLimited(unlimited, {
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

interface Counted {
  readonly status: number;
  readonly remaining: number | undefined;
}

async function counted(token: string): Promise<Counted> {
  const answer = await me(token);
  return { status: answer.status, remaining: rateLimitOf(answer)?.remaining };
}

async function oneByOne(count: number, token: string): Promise<readonly Counted[]> {
  const answers = [];
  for (let index = 0; index < count; index++) answers.push(await counted(token));
  return answers;
}

/** Counts the Redis commands for which requests wait during `work`. */
async function waitsDuring(work: () => Promise<void>): Promise<number> {
  const link = api.app.get(RedisLink);
  const ask = link.ask.bind(link);
  const waits: Promise<boolean>[] = [];
  const spy = jest.spyOn(link, 'ask').mockImplementation((...parameters) => {
    const answer = ask(...parameters);
    waits.push(Promise.race([answer.then(() => false), nextTurn(true)]));
    return answer;
  });
  try {
    await work();
  } finally {
    spy.mockRestore();
  }
  return (await Promise.all(waits)).filter(Boolean).length;
}

/** Expects that all requests pass, with the headers of a new window. */
function expectUnlimited(answers: readonly Counted[]): void {
  expect(answers.map(({ status, remaining }) => [status, remaining])).toEqual(answers.map(() => [200, LIMIT - 1]));
}

/** Expects that the limit is enforced, by default for a new credential. */
async function expectLimited(token?: string): Promise<void> {
  const statuses = (await oneByOne(LIMIT + 1, token ?? (await newToken()))).map(({ status }) => status);
  expect(statuses).toEqual([...Array.from({ length: LIMIT }, () => 200), 429]);
}

/** Resolves when requests are counted again. Fails after the allowed time. */
async function expectBack(): Promise<void> {
  const isBack = async (): Promise<boolean> => {
    const token = await newToken();
    await me(token);
    return (await counted(token)).remaining === LIMIT - 2;
  };
  const ms = await ownMsOf(() => until(isBack));
  expect(ms).toBeLessThan(BACK_WITHIN_MS + SLACK_MS);
  await expectLimited();
}

describe('the limits of a credential', () => {
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
    await redis.kill();
    expectUnlimited(await oneByOne(5, token));
    await until(() => Promise.resolve(!api.app.get(RedisLink).isUp));
    const waits = await waitsDuring(async () =>
      expectUnlimited([...(await oneByOne(30, token)), ...(await oneByOne(2, refused))]),
    );
    expect(waits).toBe(0);
    // A request without a valid credential still gets 401.
    for (let count = 0; count < LIMIT + 2; count++) expect((await api.get('/me', { token: null })).status).toBe(401);
    await redis.start();
    await expectBack();
  });

  test('let requests pass while Redis hangs; only the first request waits 0.1 s', async () => {
    const token = await newToken();
    expect((await counted(token)).remaining).toBe(LIMIT - 1);
    const link = api.app.get<unknown, { timeoutMs: number }>(RedisLink);
    const patience = link.timeoutMs;
    expect(COMMAND_TIMEOUT_MS).toBe(100);
    link.timeoutMs = COMMAND_TIMEOUT_MS;
    redis.signal('SIGSTOP');
    try {
      // These requests wait for Redis until the timeout.
      expectUnlimited(await Promise.all(Array.from({ length: 20 }, () => counted(token))));
      const startedAt = performance.now();
      const waits = await waitsDuring(async () => {
        while (performance.now() - startedAt < 1_500) expectUnlimited([await counted(token)]);
      });
      // After the first timeout, no request waits for Redis, not even to find out whether Redis answers again.
      expect(waits).toBe(0);
    } finally {
      redis.signal('SIGCONT');
      link.timeoutMs = patience;
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
    const token = await newToken();
    const isLoading = (): Promise<boolean> =>
      redis.client.ping().then(
        () => false,
        (error: Error) => error.message.startsWith('LOADING'),
      );
    const answers = [];
    // On a busy machine, a request may take longer than Redis takes to load. Redis then loads once more, but more
    // slowly.
    for (let delay = 500; answers.length === 0; delay *= 4) {
      await redis.kill();
      // These settings make Redis load slowly. Until it has finished, it answers that it is loading.
      const started = redis.start({ 'key-load-delay': String(delay), 'loading-process-events-interval-bytes': '1024' });
      while (await isLoading()) {
        const answer = await counted(token);
        if (await isLoading()) answers.push(answer);
      }
      await started;
    }
    expectUnlimited(answers);
    await expectBack();
  });
});
