// @group sample: npm test runs a quarter of its tests
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type MigrationInterface } from 'typeorm';
import { useTestDatabase } from '../../test/test-database.js';
import { migrations } from './index.js';
import { Database, migrate, undoMigration } from '@ats/postgres';

const own = useTestDatabase({ poolSize: 4 });
let lines: string[];
let opened: Database[];
const say = (line: string): void => void lines.push(line);
const open = async (): Promise<Database> => {
  const database = await Database.connect({
    url: own.url,
    applicationName: 'migrating',
    migrations,
    poolSize: 2,
    statementTimeoutMs: 0,
  });
  opened.push(database);
  return database;
};

beforeEach(() => {
  lines = [];
  opened = [];
});
afterEach(async () => {
  await Promise.all(opened.map((database) => database.close()));
});

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 100_000;
  while (!(await isSo())) {
    if (performance.now() > deadline)
      throw new Error(`the condition did not hold within 100 s, output:\n${lines.join('\n')}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Opens the database as a later release would, which has one migration more. That migration is the newest one. */
async function openWith(sql: readonly string[], transaction?: boolean): Promise<Database> {
  const database = await open();
  const added: MigrationInterface = {
    name: 'AddColours9999999999999',
    ...(transaction !== undefined && { transaction }),
    up: async (runner) => {
      for (const text of sql) await runner.query(text);
    },
    down: async (runner) => void (await runner.query('DROP TABLE IF EXISTS colours')),
  };
  database.dataSource.migrations.push(added);
  return database;
}

const MAKE_COLOURS = 'CREATE TABLE colours (name text)';
const hasColours = async (): Promise<boolean> =>
  (await own.database.query<{ is: boolean }>(`SELECT to_regclass('colours') IS NOT NULL AS is`))[0]?.is === true;
const endAllThatRuns = (query: string): Promise<object[]> =>
  own.database.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND query LIKE $1 AND pid <> pg_backend_pid()`,
    [query],
  );
const runs = async (query: string): Promise<boolean> =>
  (
    await own.database.query(
      `SELECT FROM pg_stat_activity
       WHERE datname = current_database() AND state = 'active' AND query LIKE $1 AND pid <> pg_backend_pid()`,
      [query],
    )
  ).length > 0;

/**
 * Runs `work` while another transaction that has run `sql` is open. `work` may call `letGo` to commit that transaction.
 * Otherwise, that transaction is rolled back after `work`.
 */
async function whileHolding(sql: string, work: (letGo: () => Promise<unknown>) => Promise<void>): Promise<void> {
  const client = await own.database.pool.connect();
  try {
    await client.query(`BEGIN; ${sql}`);
    await work(() => client.query('COMMIT'));
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}

describe('migrate', () => {
  it('prints each migration with its duration; the second run reports that the schema is up to date', async () => {
    const database = await openWith([MAKE_COLOURS]);
    expect(await migrate(database.dataSource, { say })).toBe('this');
    await migrate(database.dataSource, { say });
    expect(lines).toEqual([
      expect.stringMatching(/^ran AddColours9999999999999 in \d+\.\d\d s$/),
      'the schema is up to date',
    ]);
    await undoMigration(database.dataSource, { say });
    expect(lines[2]).toMatch(/^ran the reverse of AddColours9999999999999 in /);
    expect(await hasColours()).toBe(false);
  });

  it('runs in one process at a time; the next one waits and finds nothing to do', async () => {
    // This migration waits for a locked row until the test releases the row. It has no transaction, so `lock_timeout`
    // does not end the wait.
    const waits = 'SELECT FROM job_boards FOR UPDATE';
    const [first, second] = [await openWith([MAKE_COLOURS, waits], false), await openWith([MAKE_COLOURS])];
    const both: Promise<unknown>[] = [];
    await own.database.query(`INSERT INTO job_boards (name, code) VALUES ('Board', 'held')`);
    await whileHolding(waits, async () => {
      both.push(migrate(first.dataSource, { say }));
      await until(() => runs(`%${waits}`));
      both.push(migrate(second.dataSource, { say }));
      await until(() => lines.length > 0);
    });
    await Promise.all(both);
    expect(lines).toEqual([
      'another `migrate` is running: waiting for it',
      expect.stringMatching(/^ran AddColours/),
      'the schema is up to date',
    ]);
    await undoMigration(first.dataSource, { say });
  });

  it('waits for the transactions that use a table without blocking others', async () => {
    const database = await openWith(['ALTER TABLE saved_searches ADD COLUMN colour text']);
    let slowestMs = 0;
    let mostAttempts = 0;
    await whileHolding('SELECT FROM saved_searches LIMIT 1', async (letGo) => {
      const migrated = migrate(database.dataSource, { say });
      await until(async () => {
        const [startedAt, attempts] = [performance.now(), lines.length];
        await own.database.query('SELECT * FROM saved_searches LIMIT 1');
        slowestMs = Math.max(slowestMs, performance.now() - startedAt);
        mostAttempts = Math.max(mostAttempts, lines.length - attempts);
        return lines.length >= 3 && slowestMs > 100;
      });
      await letGo();
      await migrated;
    });
    expect(lines[2]).toMatch(
      new RegExp(
        '^AddColours9999999999999: a table is in use by others; longest transaction: ' +
          'spec \\(pid \\d+, idle in transaction, for \\d+ s\\)\\. Next attempt in 1 s$',
      ),
    );
    expect(lines.at(-1)).toMatch(/^ran AddColours/);
    // A query waits for at most one attempt of the migration, which lasts at most as long as the lock timeout. On a
    // busy machine, the query may get its answer only during the next attempt.
    expect(slowestMs).toBeGreaterThan(100);
    expect(mostAttempts).toBeLessThanOrEqual(2);
    await own.database.query('ALTER TABLE saved_searches DROP COLUMN colour');
    await undoMigration(database.dataSource, { say });
  });

  it('gives up after its deadline, names the blocking transaction, and changes nothing', async () => {
    const database = await openWith([MAKE_COLOURS, 'ALTER TABLE saved_searches ADD COLUMN colour text']);
    await whileHolding('SELECT FROM saved_searches LIMIT 1', async () => {
      await expect(migrate(database.dataSource, { say, giveUpAfterMs: 100 })).rejects.toThrow(
        /in use by others; longest transaction: spec .*Migrate has given up: end that transaction, then run migrate again/,
      );
    });
    expect(await hasColours()).toBe(false);
  });

  it('can run again after an interruption, because a migration is applied completely or not at all', async () => {
    const interrupted = await openWith([MAKE_COLOURS, 'SELECT pg_sleep(60)']);
    const failed = expect(migrate(interrupted.dataSource, { say })).rejects.toThrow();
    await until(() => runs('%pg_sleep(60)%'));
    await endAllThatRuns('%pg_sleep(60)%');
    await failed;
    expect(await hasColours()).toBe(false);
    const again = await openWith([MAKE_COLOURS]);
    await migrate(again.dataSource, { say });
    expect(await hasColours()).toBe(true);
    await undoMigration(again.dataSource, { say });
  });

  it('can run again after an interrupted CREATE INDEX CONCURRENTLY', async () => {
    const build = [
      'DROP INDEX CONCURRENTLY IF EXISTS ix_colour',
      'CREATE INDEX CONCURRENTLY ix_colour ON saved_searches (name)',
    ];
    const isValid = async () =>
      (
        await own.database.query<{ indisvalid: boolean }>(
          `SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass('ix_colour')`,
        )
      )[0]?.indisvalid;
    const database = await openWith(build, false);
    // CREATE INDEX CONCURRENTLY waits for all transactions that hold a write lock on the table.
    await whileHolding('LOCK saved_searches IN ROW EXCLUSIVE MODE', async () => {
      const failed = expect(migrate(database.dataSource, { say })).rejects.toThrow();
      await until(async () => (await isValid()) === false);
      await endAllThatRuns('CREATE INDEX CONCURRENTLY ix_colour%');
      await failed;
    });
    expect(await isValid()).toBe(false);
    await migrate((await openWith(build, false)).dataSource, { say });
    expect(await isValid()).toBe(true);
    await own.database.query('DROP INDEX ix_colour');
    await undoMigration(database.dataSource, { say });
  });

  it('of an older release leaves a newer schema unchanged, and the apps of that release become ready', async () => {
    const newer = await openWith([MAKE_COLOURS]);
    await migrate(newer.dataSource, { say });
    const older = await open();
    expect(await migrate(older.dataSource, { say })).toBe('newer');
    expect(lines.at(-1)).toBe(
      'the schema is of a newer release: it has AddColours9999999999999. This release can run on this schema, so migrate changed nothing',
    );
    expect(await older.hasAllMigrations()).toBe(true);
    await expect(undoMigration(older.dataSource, { say })).rejects.toThrow(
      'this release does not have the migrations AddColours9999999999999: only the newer release that has them can revert them',
    );
    expect(await hasColours()).toBe(true);
    const other = await open();
    other.dataSource.migrations.push({
      name: 'AddShapes9999999999998',
      up: () => Promise.resolve(),
      down: () => Promise.resolve(),
    });
    await expect(migrate(other.dataSource, { say })).rejects.toThrow(
      'it has AddColours9999999999999, but lacks AddShapes9999999999998: the newer release is from another branch, so this release cannot run on the schema',
    );
    await undoMigration(newer.dataSource, { say });
  });
});
