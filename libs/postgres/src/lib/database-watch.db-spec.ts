// @group sample: npm test runs a quarter of its tests
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { TcpRelay } from '../../test/tcp-relay.js';
import { useEmptyDatabase } from '../../test/test-server.js';
import { type DatabaseStateChange } from './database-watch.js';
import { Database } from './database.js';
import { runStatement } from './transaction.js';
import { DatabaseRefusedError, DatabaseUnavailableError, isUnavailable } from './unavailable.js';

const own = useEmptyDatabase();
let relay: TcpRelay;
let url: string;
let database: Database | undefined;
let changes: DatabaseStateChange['state'][];

beforeEach(async () => {
  relay = await TcpRelay.before(own.url);
  ({ url } = relay);
  changes = [];
});
afterEach(async () => {
  await relay.close();
  await database?.close();
  database = undefined;
});

const open = async (): Promise<Database> =>
  (database = await Database.open({
    url,
    applicationName: 'watched',
    onStateChange: ({ state }) => void changes.push(state),
  }));
const one = (from: Database): Promise<unknown>[] => [
  from.query('SELECT 1 AS one'),
  from.reading.query({ text: 'SELECT 1 AS one', parameters: [] }),
  from.transaction((transaction) => runStatement(transaction, 'SELECT 1 AS one')),
];
const ROWS = [[{ one: 1 }], [{ one: 1 }], [{ one: 1 }]];

/**
 * Starts to count ticks of this process, as `DatabaseWatch` does. So the count does not include time in which a busy
 * machine runs other processes.
 * @returns a function that returns the counted time in ms
 */
function countTicks(): () => number {
  let ticks = 0;
  timers.push(setInterval(() => (ticks += 1), TICK_MS));
  return () => ticks * TICK_MS;
}
const TICK_MS = 10;
const timers: NodeJS.Timeout[] = [];
afterEach(() => timers.splice(0).forEach(clearInterval));

/**
 * Waits for a condition.
 * @param withinMs  limit in ticks of this process. Without it, only the time limit of the test applies
 */
async function until(isSo: () => boolean, withinMs = Infinity): Promise<void> {
  const ticks = countTicks();
  while (!isSo()) {
    if (ticks() > withinMs) throw new Error(`the condition was not met within ${withinMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Expects that all statements reject as unavailable within `withinMs`, counted in ticks of this process. */
async function expectRefusals(refusals: readonly Promise<unknown>[], withinMs: number): Promise<void> {
  const ticks = countTicks();
  const results = await Promise.allSettled(refusals);
  expect(results.filter((result) => result.status === 'fulfilled' || !isUnavailable(result.reason))).toEqual([]);
  expect(ticks()).toBeLessThan(withinMs);
}

/**
 * Runs `work`, and meanwhile sends short statements to the server. Runs `work` again when it failed and an answer to a
 * short statement was late: then the busy machine had stopped the server, and the server was really unavailable. Throws
 * any other failure.
 */
async function whileServerAnswers(work: () => Promise<void>): Promise<void> {
  const control = new pg.Client({ connectionString: own.url });
  await control.connect();
  try {
    const ticks = countTicks();
    for (;;) {
      let [isSlow, isOver] = [false, false];
      const probing = (async () => {
        while (!isOver) {
          const since = ticks();
          await control.query('SELECT');
          isSlow ||= ticks() - since >= SLOW_MS;
          await new Promise((resolve) => setTimeout(resolve, TICK_MS));
        }
      })();
      const [result] = await Promise.allSettled([work()]);
      isOver = true;
      await probing;
      if (result.status === 'fulfilled') return;
      if (!isSlow) throw result.reason;
      await database?.close();
      database = undefined;
      changes = [];
      await relay.open();
    }
  } finally {
    await control.end();
  }
}
const SLOW_MS = 200;

describe('a server that stops answering', () => {
  it('becomes unavailable within a second, refuses waiting statements, and becomes available again soon', () =>
    whileServerAnswers(async () => {
      const from = await open();
      expect(await Promise.all(one(from))).toEqual(ROWS);
      await until(() => from.state === 'available');
      changes = [];
      relay.swallow();
      // The pool has fewer than 30 connections, so some statements have to wait for one.
      await expectRefusals(Array.from({ length: 30 }, () => one(from)).flat(), 5_000);
      expect(changes).toEqual(['unavailable']);
      await expectRefusals(one(from), 50);
      relay.letThrough();
      await until(() => from.state === 'available');
      expect(await Promise.all(one(from))).toEqual(ROWS);
    }));
});

describe('a server that refuses connections', () => {
  it('is unavailable at once, and available again at once', () =>
    whileServerAnswers(async () => {
      const from = await open();
      expect(await Promise.all(one(from))).toEqual(ROWS);
      await relay.close();
      await until(() => from.state === 'unavailable', 1_000);
      await expectRefusals(one(from), 50);
      await relay.open();
      await until(() => from.state === 'available');
      expect(await Promise.all(one(from))).toEqual(ROWS);
      expect(changes).toEqual(['unavailable', 'available']);
    }));

  it('can be unavailable from the start', () =>
    whileServerAnswers(async () => {
      await relay.close();
      const from = await open();
      expect(from.state).toBe('unavailable');
      expect(() => from.pool).toThrow(DatabaseUnavailableError);
      await expectRefusals([...one(from), from.hasAllMigrations()], 50);
      await relay.open();
      await until(() => from.state === 'available');
      expect(await Promise.all(one(from))).toEqual(ROWS);
      expect(await from.hasAllMigrations()).toBe(true);
    }));

  it('makes `open` reject when it refuses the login or lacks the database', async () => {
    const wrong = new URL(own.url);
    wrong.password = 'wrong';
    await expect(Database.open({ url: wrong.href, applicationName: 'watched' })).rejects.toThrow(
      /^the database of DATABASE_URL refuses the connection: the user or the password is wrong \(28P01\)$/,
    );
    wrong.href = own.url;
    wrong.pathname = '/there_is_none';
    await expect(Database.open({ url: wrong.href, applicationName: 'watched' })).rejects.toThrow(DatabaseRefusedError);
  });
});

describe('a server that is busy', () => {
  it('stays available, however long statements wait', () =>
    whileServerAnswers(async () => {
      const from = await open();
      const slow = Array.from({ length: 10 }, () => from.query('SELECT pg_sleep(3)'));
      const waiting = from.query('SELECT 1 AS one');
      await Promise.all(slow);
      expect(await waiting).toEqual([{ one: 1 }]);
      expect(changes).toEqual([]);
    }));

  it('stays available for a process that was busy itself', () =>
    whileServerAnswers(async () => {
      const from = await open();
      const begun = performance.now();
      while (performance.now() - begun < 1_500);
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect(await Promise.all(one(from))).toEqual(ROWS);
      expect(changes).toEqual([]);
    }));
});

it('a transaction rejects with CommitUnknownError when the connection is lost during COMMIT', async () => {
  const from = await open();
  await own.database.query('CREATE TABLE committed (id int, EXCLUDE (id WITH =) DEFERRABLE INITIALLY DEFERRED)');
  const other = new pg.Client({ connectionString: own.url });
  await other.connect();
  await other.query('BEGIN; INSERT INTO committed VALUES (1)');
  const committing = from.transaction((transaction) => runStatement(transaction, 'INSERT INTO committed VALUES (1)'));
  committing.catch(() => undefined);
  // The COMMIT of this transaction waits for the other transaction, which has inserted the same id.
  let isWaiting = false;
  while (!isWaiting) {
    const rows = await own.database.query(
      `SELECT FROM pg_stat_activity
         WHERE datname = current_database() AND query = 'COMMIT' AND wait_event_type = 'Lock'`,
    );
    isWaiting = rows.length > 0;
  }
  await relay.close();
  await expect(committing).rejects.toMatchObject({ name: 'CommitUnknownError', code: 'database_unavailable' });
  await other.query('ROLLBACK');
  await other.end();
});
