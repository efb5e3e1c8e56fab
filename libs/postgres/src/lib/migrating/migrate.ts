import { type DataSource, type Migration, MigrationExecutor, type QueryRunner } from 'typeorm';
import { findLongest } from './longest-transaction.js';
import { MigrationRefusedError } from './migration-refused-error.js';
import { releaseMigrationLock, acquireMigrationLock } from './migration-lock.js';

export interface MigrateOptions {
  /** Told what is being done, a line at a time. */
  readonly say: (line: string) => void;
  /** For how long a table that is in use is tried, in all. */
  readonly giveUpAfterMs?: number;
}

/**
 * So long a statement waits for a table, and what comes after it waits behind it. Shorter than PostgreSQL's `deadlock_timeout` of a
 * second, so that it is never a client's transaction that is given up when each waits for the other.
 */
const LOCK_TIMEOUT_MS = 300;
const GIVE_UP_AFTER_MS = 10 * 60_000;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;

/**
 * Brings the schema to this release while apps run on it: one process at a time, each migration whole or not at all, none in the way of
 * requests for longer than {@link LOCK_TIMEOUT_MS}. May be run again at any time. Does nothing when the schema is of a newer release.
 * @returns of which release the schema is then
 * @throws {MigrationRefusedError} when this cannot be done, in words for operators
 * Source: docs/adr/0022-expand-and-contract.md
 */
export async function migrate(dataSource: DataSource, options: MigrateOptions): Promise<'this' | 'newer'> {
  return inTurn(dataSource, options, async (runner) => {
    const executor = new MigrationExecutor(dataSource, runner);
    const [pending, newer] = [await executor.getPendingMigrations(), await findNewer(dataSource, executor)];
    if (newer.length > 0) return leave({ pending, newer }, options);
    if (pending.length === 0) options.say('the schema is up to date');
    for (const migration of pending) {
      const step = { name: migration.name, isWhole: migration.instance?.transaction !== false };
      await run(runner, step, options, () => executor.executeMigration(migration));
    }
    return 'this';
  });
}

/** Takes the newest migration back. @throws {MigrationRefusedError} as {@link migrate} does, and when a newer release has made it */
export async function undoMigration(dataSource: DataSource, options: MigrateOptions): Promise<void> {
  await inTurn(dataSource, options, async (runner) => {
    const executor = new MigrationExecutor(dataSource, runner);
    const newer = await findNewer(dataSource, executor);
    if (newer.length > 0)
      throw new MigrationRefusedError(`${newer.join(', ')}: of a newer release, which alone can take it back`);
    const [newest] = [...(await executor.getExecutedMigrations())].sort((a, b) => b.timestamp - a.timestamp);
    if (!newest) return options.say('there is no migration to take back');
    const isWhole = dataSource.migrations.find((migration) => nameOf(migration) === newest.name)?.transaction !== false;
    executor.transaction = 'none'; // `run` begins it
    await run(runner, { name: `the way back from ${newest.name}`, isWhole }, options, () =>
      executor.undoLastMigration(),
    );
  });
}

/** With one connection for the turn and the work: as long as the server works for a process that was killed, nobody else begins. */
async function inTurn<T>(
  dataSource: DataSource,
  { say }: MigrateOptions,
  work: (runner: QueryRunner) => Promise<T>,
): Promise<T> {
  const runner = dataSource.createQueryRunner();
  try {
    await acquireMigrationLock(runner, say);
    return await work(runner);
  } finally {
    await releaseMigrationLock(runner).catch(() => undefined); // with its connection the turn is over, too
    await runner.release();
  }
}

/** Migrations of the schema that this release does not know. */
async function findNewer(dataSource: DataSource, executor: MigrationExecutor): Promise<string[]> {
  const known = new Set(dataSource.migrations.map(nameOf));
  return (await executor.getExecutedMigrations()).map(({ name }) => name).filter((name) => !known.has(name));
}

function leave(
  { pending, newer }: { pending: readonly Migration[]; newer: readonly string[] },
  { say }: MigrateOptions,
): 'newer' {
  const has = `the schema is of a newer release: it has ${newer.join(', ')}`;
  if (pending.length > 0)
    throw new MigrationRefusedError(
      `${has}, but lacks ${pending.map(({ name }) => name).join(', ')}: it is not of the line of this release`,
    );
  say(`${has}. This release runs on it; nothing was done`);
  return 'newer';
}

interface Step {
  readonly name: string;
  /** In one transaction; what cannot be runs without limit of its waiting, since it is in nobody's way. */
  readonly isWhole: boolean;
}

async function run(
  runner: QueryRunner,
  step: Step,
  { say, giveUpAfterMs = GIVE_UP_AFTER_MS }: MigrateOptions,
  work: () => Promise<unknown>,
): Promise<void> {
  const deadline = performance.now() + giveUpAfterMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    const startedAt = performance.now();
    try {
      await (step.isWhole ? inTransaction(runner, work) : work());
      return say(`ran ${step.name} in ${((performance.now() - startedAt) / 1000).toFixed(2)} s`);
    } catch (error) {
      if (!isInUse(error)) throw error;
      const inUse = `${step.name}: a table is in use by others; longest at work: ${await findLongest(runner)}`;
      if (performance.now() > deadline)
        throw new MigrationRefusedError(`${inUse}. Given up: end that, and run this again`);
      say(`${inUse}. Tried again in ${pauseMs / 1000} s`);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}

async function inTransaction(runner: QueryRunner, work: () => Promise<unknown>): Promise<void> {
  await runner.startTransaction();
  try {
    await runner.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
    await work();
    await runner.commitTransaction();
  } catch (error) {
    await runner.rollbackTransaction().catch(() => undefined); // the connection may be gone
    throw error;
  }
}

/** `lock_not_available`, `deadlock_detected`. */
const isInUse = (error: unknown): boolean =>
  ['55P03', '40P01'].includes(String((error as { readonly code?: unknown }).code));

const nameOf = (migration: { readonly name?: string; readonly constructor: { readonly name: string } }): string =>
  migration.name ?? migration.constructor.name;
