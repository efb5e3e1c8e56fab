import { type DataSource, type Migration, MigrationExecutor, type QueryRunner } from 'typeorm';
import { type RunQuery } from '../schema-rights.js';
import { findLongest } from './longest-transaction.js';
import { MigrationRefusedError } from './migration-refused-error.js';
import { grantToRole, type RestrictedRole } from './restricted-role.js';
import { releaseMigrationLock, acquireMigrationLock } from './migration-lock.js';

export interface MigrateOptions {
  /** Prints a line of progress. */
  readonly say: (line: string) => void;
  /** Time in ms for which a migration is retried while its table is in use. Defaults to 10 minutes. */
  readonly giveUpAfterMs?: number;
  /** The role that gets its privileges after the last migration. By default, no privileges are granted. */
  readonly role?: RestrictedRole | undefined;
}

/**
 * Maximum time in ms that a statement waits for a table lock, because requests queue behind it. It is shorter than
 * PostgreSQL's `deadlock_timeout` of one second, so that a deadlock never cancels a client's transaction.
 */
const LOCK_TIMEOUT_MS = 300;
const GIVE_UP_AFTER_MS = 10 * 60_000;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;

/**
 * Brings the schema to this release while apps run on it. Only one process migrates at a time. A migration is applied
 * as a whole or not at all, and blocks requests for at most {@link LOCK_TIMEOUT_MS}. A run can be repeated at any time.
 * It changes nothing when the schema belongs to a newer release.
 * @returns `newer` when the schema belongs to a newer release, otherwise `this`
 * @throws {MigrationRefusedError} when an operator has to act first
 * Source: docs/reference/database.md, "Migrations", and docs/adr/0022-expand-and-contract.md
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
    await grant(runner, options);
    return 'this';
  });
}

/**
 * Reverts the newest migration.
 * @throws {MigrationRefusedError} like {@link migrate}, and when the schema belongs to a newer release
 */
export async function undoMigration(dataSource: DataSource, options: MigrateOptions): Promise<void> {
  await inTurn(dataSource, options, async (runner) => {
    const executor = new MigrationExecutor(dataSource, runner);
    const newer = await findNewer(dataSource, executor);
    if (newer.length > 0)
      throw new MigrationRefusedError(
        `this release does not have the migrations ${newer.join(', ')}: only the newer release that has them can revert them`,
      );
    const [newest] = [...(await executor.getExecutedMigrations())].sort((a, b) => b.timestamp - a.timestamp);
    if (!newest) return options.say('there is no migration to revert');
    const isWhole = dataSource.migrations.find((migration) => nameOf(migration) === newest.name)?.transaction !== false;
    executor.transaction = 'none'; // The executor must begin no transaction, because `run` begins one.
    await run(runner, { name: `the reverse of ${newest.name}`, isWhole }, options, () => executor.undoLastMigration());
    await grant(runner, options); // The role also needs its privileges on tables that the revert has created again.
  });
}

/**
 * Grants the role its privileges. It must not be called for the schema of a newer release, because this release does
 * not know which tables of that schema are append-only.
 */
async function grant(runner: QueryRunner, options: MigrateOptions): Promise<void> {
  const { role, say } = options;
  if (!role) return;
  const query: RunQuery = (text, parameters = []) => runner.query(text, [...parameters]);
  await run(runner, { name: `the grants to ${role.name}`, isWhole: true }, options, () =>
    grantToRole(query, role, say),
  );
}

/**
 * Runs `work` under the migration lock, on the connection that holds the lock. When the process is killed during a
 * statement, the server keeps the connection and the lock until the statement has ended, so no other process begins
 * before that.
 */
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
    await releaseMigrationLock(runner).catch(() => undefined); // A lost connection has already released the lock.
    await runner.release();
  }
}

/** Finds the applied migrations that this release does not have. */
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
      `${has}, but lacks ${pending.map(({ name }) => name).join(', ')}: the newer release is from another branch, so this release cannot run on the schema`,
    );
  say(`${has}. This release can run on this schema, so migrate changed nothing`);
  return 'newer';
}

interface Step {
  readonly name: string;
  /**
   * True when the step runs in one transaction. Steps without a transaction have no lock timeout, because they block no
   * request.
   */
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
      const inUse = `${step.name}: a table is in use by others; longest transaction: ${await findLongest(runner)}`;
      if (performance.now() > deadline)
        throw new MigrationRefusedError(`${inUse}. Migrate has given up: end that transaction, then run migrate again`);
      say(`${inUse}. Next attempt in ${pauseMs / 1000} s`);
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
    await runner.rollbackTransaction().catch(() => undefined); // The rollback fails when the connection is lost.
    throw error;
  }
}

/** True for the SQLSTATEs `lock_not_available` and `deadlock_detected`: another transaction uses the table. */
const isInUse = (error: unknown): boolean =>
  ['55P03', '40P01'].includes(String((error as { readonly code?: unknown }).code));

const nameOf = (migration: { readonly name?: string; readonly constructor: { readonly name: string } }): string =>
  migration.name ?? migration.constructor.name;
