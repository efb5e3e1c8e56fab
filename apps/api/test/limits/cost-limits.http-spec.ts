// @group long: starts an API for each limit
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Answer } from '../support/answer.js';
import { Api } from '../support/api-harness.js';
import { Factories } from '../support/factories.js';
import { retryIfSlow } from '../support/retry-if-slow.js';
import { NO_REDIS, startLimited } from './limited-api.js';
import { until, waitForBoards, withLockedBoards } from './locked-boards.js';

const LIMITS = { RATE_LIMIT: 1_000, RATE_LIMIT_WINDOW: 3_600 };
const SHARE = 2;
/** Number of transactions that one credential may run at the same time: half of the 10 of the process. */
const TRANSACTIONS = 5;
/**
 * Maximum duration of a scenario in ms. It must end before a waiting request is refused, which happens after five
 * seconds.
 */
const WAIT_MS = 4_000;
/**
 * Maximum duration of a scenario in ms. It must end before the statement of a page is cancelled, which happens after
 * ten seconds.
 */
const STATEMENT_MS = 9_000;
const MIB = 1024 ** 2;

let unlimited: Api;
let make: Factories;

beforeAll(async () => {
  unlimited = await Api.start();
  make = new Factories(unlimited);
});
afterAll(() => unlimited.close());

const newToken = async (): Promise<string> => (await make.credential({ scopes: ['*:read', '*:write'] })).token;
const boards = (api: Api, token: string): Promise<Answer> => api.get('/job_boards', { token });
const candidates = (api: Api, token: string): Promise<Answer> => api.get('/candidates', { token });
const me = (api: Api, token: string): Promise<Answer> => api.get('/me', { token });

/** Returns the remaining amount of a limit, as the header `RateLimit` of an answer shows it. */
function remaining({ headers }: Answer, limit: string): number {
  const found = new RegExp(`"${limit}";r=(\\d+);t=\\d+`).exec(headers['ratelimit'] ?? '');
  if (!found) throw new Error(`RateLimit is ${headers['ratelimit']}`);
  return Number(found[1]);
}

async function withApi(limits: Parameters<typeof startLimited>[1], work: (api: Api) => Promise<void>): Promise<void> {
  const api = await startLimited(unlimited, { ...LIMITS, ...limits });
  try {
    await work(api);
  } finally {
    await api.app.close();
  }
}

/** Locks the job boards during `work`. Then waits for the requests that `work` has added to `running`. */
async function whileBoardsAreLocked(running: readonly Promise<Answer>[], work: () => Promise<void>): Promise<void> {
  try {
    await withLockedBoards(unlimited, work);
  } finally {
    await Promise.all(running);
  }
}

describe('the number of database connections of a credential', () => {
  test.each([
    ['with Redis', {}],
    ['without Redis', { REDIS_URL: NO_REDIS }],
  ])('is limited %s, so that no credential waits for the statements of another', async (_how, limits) => {
    await withApi({ ...limits, READ_CONNECTIONS_LIMIT: SHARE }, (api) =>
      retryIfSlow(WAIT_MS, async () => {
        const [busy, other] = [await newToken(), await newToken()];
        const running: Promise<Answer>[] = [];
        await whileBoardsAreLocked(running, async () => {
          running.push(...Array.from({ length: 12 }, () => boards(api, busy)));
          await waitForBoards(unlimited, SHARE);
          expect((await candidates(api, other)).status).toBe(200);
          running.push(boards(api, other));
          await waitForBoards(unlimited, SHARE + 1);
          // The queue of a credential keeps the order of arrival. So this request waits for the twelve requests before
          // it.
          running.push(candidates(api, busy));
        });
        expect((await Promise.all(running)).map(({ status }) => status)).toEqual(running.map(() => 200));
      }),
    );
  });

  test('leaves connections for the writes of others', async () => {
    await withApi({ READ_CONNECTIONS_LIMIT: SHARE }, (api) =>
      retryIfSlow(WAIT_MS, async () => {
        const [busy, other] = [await newToken(), await newToken()];
        const write = (token: string, code: string): Promise<Answer> =>
          api.post('/job_boards', { name: 'Shared', code }, { token });
        const code = `shared-${Date.now()}`;
        const candidate = { firstname: 'Ada', lastname: 'Byron', email: `${code}@example.com` };
        const running: Promise<Answer>[] = [];
        await whileBoardsAreLocked(running, async () => {
          running.push(...Array.from({ length: 2 * TRANSACTIONS }, (_, index) => write(busy, `${code}-${index}`)));
          await waitForBoards(unlimited, TRANSACTIONS);
          expect((await api.post('/candidates', candidate, { token: other })).status).toBe(201);
          running.push(write(other, code));
          await waitForBoards(unlimited, TRANSACTIONS + 1);
        });
        expect((await Promise.all(running)).map(({ status }) => status)).toEqual(running.map(() => 201));
      }),
    );
  });

  test('is the reason for a 429 when a request waits too long for a connection', async () => {
    const scenario = async (api: Api): Promise<void> => {
      const token = await newToken();
      const running: Promise<Answer>[] = [];
      await whileBoardsAreLocked(running, async () => {
        running.push(boards(api, token));
        await waitForBoards(unlimited, 1);
        const refused = await boards(api, token);
        expect([refused.status, refused.problem.limit, refused.headers['retry-after']]).toEqual([
          429,
          'connections',
          '1',
        ]);
        expect(refused.problem.message).toBe('Too many slow requests: try again when one of them is answered');
      });
      expect((await running[0])?.status).toBe(200);
      expect((await api.request('GET', '/metrics')).text).toMatch(
        /^api_requests_limited_total\{reason="connections"\} 1$/m,
      );
    };
    await retryIfSlow(STATEMENT_MS, () => withApi({ READ_CONNECTIONS_LIMIT: 1 }, scenario));
  });
});

describe('the budget of database time', () => {
  test('stops the statement that uses it up, and refuses further requests in every process', async () => {
    // The first statement must end within the budget. A busy machine needs a larger budget for this.
    for (let budgetMs = 2_000, isDone = false; !isDone; budgetMs = Math.min(2 * budgetMs, STATEMENT_MS - 1_000))
      await withApi({ DATABASE_TIME_LIMIT: budgetMs }, async (api) => {
        isDone = await usesUp(api, budgetMs);
      });
  });

  /**
   * Uses up a budget.
   * @returns false when already the first statement has used up the budget
   */
  async function usesUp(api: Api, budgetMs: number): Promise<boolean> {
    const token = await newToken();
    // The time of a statement includes its waiting for locks.
    const waiting: Promise<Answer>[] = [];
    const began = performance.now();
    await whileBoardsAreLocked(waiting, async () => {
      waiting.push(boards(api, token));
      await waitForBoards(unlimited, 1);
      await sleep(500);
    });
    const { status } = (await waiting[0]) as Answer;
    if (status === 429 && performance.now() - began > budgetMs) return false;
    expect(status).toBe(200);
    await withLockedBoards(unlimited, async () => {
      const stopped = await boards(api, token);
      expect([stopped.status, stopped.problem.limit]).toEqual([429, 'database_time']);
      expect(stopped.problem.message).toMatch(
        new RegExp(`^Too much database time: the limit is ${budgetMs} ms in 3600 s, try again in \\d+ s$`),
      );
      await waitForBoards(unlimited, 0);
    });
    await withApi({ DATABASE_TIME_LIMIT: budgetMs }, async (second) => {
      await until(async () => (await me(second, token)).status === 429);
      for (const process of [api, second]) {
        const refused = await me(process, token);
        expect([refused.status, refused.problem.limit]).toEqual([429, 'database_time']);
        expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3_000);
        expect(remaining(refused, 'database_time')).toBe(0);
      }
      expect((await candidates(second, await newToken())).status).toBe(200);
    });
    return true;
  }

  test('counts reads and writes of the credential, but not of other credentials', async () => {
    await withApi({ DATABASE_TIME_LIMIT: 1_000_000 }, async (api) => {
      const [token, other] = [await newToken(), await newToken()];
      expect(remaining(await me(api, token), 'database_time')).toBe(1_000_000);
      await candidates(api, token);
      const afterRead = remaining(await me(api, token), 'database_time');
      expect(afterRead).toBeLessThan(1_000_000);
      const written = { name: 'Written', code: `written-${Date.now()}` };
      expect((await api.post('/job_boards', written, { token })).status).toBe(201);
      expect(remaining(await me(api, token), 'database_time')).toBeLessThan(afterRead);
      expect(remaining(await me(api, other), 'database_time')).toBe(1_000_000);
    });
  });

  test('does not apply while Redis is unavailable', async () => {
    await withApi({ REDIS_URL: NO_REDIS, DATABASE_TIME_LIMIT: 1 }, async (api) => {
      const token = await newToken();
      for (let count = 0; count < 5; count++) expect((await candidates(api, token)).status).toBe(200);
    });
  });
});

describe('the budget of bytes', () => {
  test('refuses further requests after answers that used it up', async () => {
    const vacancy = await make.vacancy({ description: 'd'.repeat(100_000) });
    await withApi({ RESPONSE_SIZE_LIMIT: 1 }, async (api) => {
      const [token, other] = [await newToken(), await newToken()];
      const read = (): Promise<Answer> => api.get(`/vacancies/${vacancy.id}`, { token });
      let sent = 0;
      let answer = await read();
      for (; answer.status === 200; answer = await read()) {
        sent += Buffer.byteLength(answer.text);
        expect(sent).toBeLessThan(MIB + 200_000);
      }
      expect(sent).toBeGreaterThanOrEqual(MIB);
      expect([answer.status, answer.problem.limit, remaining(answer, 'bytes')]).toEqual([429, 'bytes', 0]);
      expect(answer.problem.message).toMatch(/^Too many bytes: the limit is 1 MiB in 3600 s, try again in \d+ s$/);
      expect((await api.get(`/vacancies/${vacancy.id}`, { token: other })).status).toBe(200);
    });
  });
});

describe('the headers of all limits', () => {
  test('name each limit that is on, with its unit', async () => {
    await withApi({ CONCURRENCY_LIMIT: 40, DATABASE_TIME_LIMIT: 7_000, RESPONSE_SIZE_LIMIT: 3 }, async (api) => {
      const { headers } = await me(api, await newToken());
      expect(headers['ratelimit-policy']).toBe(
        '"rate";q=1000;w=3600, "concurrency";q=40;qu="concurrent-requests", ' +
          `"database_time";q=7000;w=3600;qu="milliseconds", "bytes";q=${3 * MIB};w=3600;qu="content-bytes"`,
      );
      expect(headers['ratelimit']).toBe(
        `"rate";r=999;t=3600, "database_time";r=7000;t=3600, "bytes";r=${3 * MIB};t=3600`,
      );
    });
  });

  test('are absent for limits that are off', async () => {
    const { headers } = await me(unlimited, await newToken());
    expect([headers['ratelimit-policy'], headers['ratelimit']]).toEqual([undefined, undefined]);
    await withApi({ RATE_LIMIT: 0, DATABASE_TIME_LIMIT: 7_000 }, async (api) => {
      const answer = await me(api, await newToken());
      expect(answer.headers['ratelimit-policy']).toBe('"database_time";q=7000;w=3600;qu="milliseconds"');
      expect(answer.headers['ratelimit-limit']).toBeUndefined();
    });
  });
});
