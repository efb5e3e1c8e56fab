import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { useEmptyDatabase } from '../../test/test-server.js';
import { type Consumer, ConsumerLimitError, runFor } from './consumer.js';
import { ReadPool } from './read-pool.js';

const BUDGET_MS = 10_000;
/** A statement that runs for longer than any test. */
const SLOW = 'SELECT pg_sleep(60)';

const own = useEmptyDatabase();
let pool: ReadPool;
let consumer: Consumer & { leftMs: number; budgetMs: number };
/** True when the database time of the consumer must end as soon as a statement runs. */
let endsNow: boolean;
/** The reported durations of statements in ms. */
let times: number[];

beforeAll(() => {
  pool = new ReadPool({
    url: own.url,
    applicationName: 'spec pool',
    size: 1,
    statementTimeoutMs: 60_000,
    connectionTimeoutMs: 60_000,
  });
});
afterAll(() => pool.close());
beforeEach(() => {
  [times, endsNow] = [[], false];
  consumer = {
    key: 'a',
    leftMs: BUDGET_MS,
    budgetMs: BUDGET_MS,
    isCostly: false,
    isGone: false,
    begin() {
      if (endsNow) consumer.leftMs = 0;
      return (ms) => void times.push(ms);
    },
  };
});

const read = (text: string): Promise<readonly { pid?: number }[]> =>
  runFor(consumer, () => pool.query({ text, parameters: [] }));
const pidOf = async (): Promise<number | undefined> => (await read('SELECT pg_backend_pid() AS pid'))[0]?.pid;

describe('a statement of a consumer', () => {
  test('is reported with its duration to the consumer, in every pool', async () => {
    const sleep = 'SELECT pg_sleep(0.05)';
    // A transaction sends two more statements: one at its beginning and one at its end.
    for (const [work, statements] of [
      [() => pool.query({ text: sleep, parameters: [] }), 1],
      [() => own.database.query(sleep), 1],
      [() => own.database.transaction((transaction) => transaction.query(sleep)), 3],
    ] as const) {
      // This run does not count, because the pool sends one more statement when a connection is first used.
      await work();
      times = [];
      await runFor<Promise<unknown>>(consumer, work);
      expect(times).toHaveLength(statements);
      expect(Math.max(...times)).toBeGreaterThanOrEqual(49);
    }
  });

  test('stops when the time of the consumer ends, and leaves the pool usable', async () => {
    const pid = await pidOf();
    [consumer.leftMs, endsNow] = [100, true];
    expect(await read(SLOW).catch((error: unknown) => error)).toEqual(new ConsumerLimitError('database_time'));
    await expect(read('SELECT 1')).rejects.toThrow(ConsumerLimitError);
    [consumer.leftMs, endsNow] = [BUDGET_MS, false];
    // After a cancelled statement the pool uses a new connection, because the cancellation could arrive late and stop
    // the next statement of the old connection.
    expect(await pidOf()).not.toBe(pid);
  });

  test('ends with a timeout when it alone has used the whole time of the consumer', async () => {
    [consumer.leftMs, consumer.budgetMs, endsNow] = [100, 100, true];
    expect(await read(SLOW).catch((error: unknown) => error)).toMatchObject({ code: '57014' });
  });
});
