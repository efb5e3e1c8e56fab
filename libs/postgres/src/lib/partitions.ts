import { ADVISORY_LOCKS } from './advisory-locks.js';
import { type Database } from './database.js';
import { runStatement, type Transaction } from './transaction.js';

/** A group of tables that are partitioned by the column `occurred_dt`, into the same periods. */
export interface Partitioning {
  /** The tables. The partitions of the first table decide which periods exist. */
  readonly tables: readonly [string, ...string[]];
  /** Storage parameters of new partitions. Defaults to the values of PostgreSQL. */
  readonly storage?: string;
  /** Returns the start of the period after the one that begins at `start`. Both are UTC days, `YYYY-MM-DD`. */
  readonly next: (start: string) => string;
  /** A partition of the first table. It takes the rows of all periods that have no partition of their own. */
  readonly rest?: string;
  /** Returns true when no partition of a period may be dropped yet. By default, all may be dropped. */
  readonly isNeeded?: (transaction: Transaction, partitions: readonly string[]) => Promise<boolean>;
}

export interface Partition {
  readonly name: string;
  /** The start of the period. Null for the first partition, which has no lower bound. */
  readonly from: Date | null;
  readonly until: Date;
}

export interface DroppedPartitions {
  /** Names of the dropped tables. */
  readonly dropped: readonly string[];
  /**
   * The number of periods that were not dropped because their lock was not available. The caller should try again soon.
   */
  readonly busy: number;
}

/**
 * Maximum time to wait for an exclusive lock, to drop a partition or to move rows out of `rest`. It is below
 * PostgreSQL's deadlock timeout (1 s), so that this wait fails before PostgreSQL could cancel a transaction that
 * writes.
 */
const LOCK_WAIT = '500ms';
const LOCK_NOT_AVAILABLE = '55P03';

/** Returns the UTC day of a time, such as `2026-11-22`. */
export const dayOf = (moment: Date): string => moment.toISOString().slice(0, 10);

/**
 * Creates the partitions that are missing. Each is created as a separate table and then attached, so that other
 * transactions wait only while rows are moved out of `rest`.
 * @param starts the first days of the periods, `YYYY-MM-DD`, UTC
 */
export async function ensurePartitions(
  database: Database,
  partitioning: Partitioning,
  starts: readonly string[],
): Promise<void> {
  await database.transaction(async (transaction) => {
    await lockPartitions(transaction);
    for (const table of partitioning.tables) {
      const partitions = await listPartitions(transaction, table);
      for (const start of starts)
        if (!partitions.some((partition) => covers(partition, start)))
          await addPartition(transaction, partitioning, { table, start });
    }
  });
}

/** Drops the periods that ended more than `keepDays` days ago and are no longer needed. */
export async function dropOldPartitions(
  database: Database,
  partitioning: Partitioning,
  keepDays: number,
): Promise<DroppedPartitions> {
  const results: (readonly string[] | 'busy')[] = [];
  for (const until of await oldPeriods(database, partitioning, keepDays))
    results.push(await unlessBusy(() => dropPeriod(database, partitioning, until)));
  return {
    dropped: results.flatMap((result) => (result === 'busy' ? [] : result)),
    busy: results.filter((result) => result === 'busy').length,
  };
}

/** Runs `work`. Returns `busy` when a statement of `work` could not get a lock in time. */
export async function unlessBusy<Result>(work: () => Promise<Result>): Promise<Result | 'busy'> {
  try {
    return await work();
  } catch (error) {
    if ((error as { readonly code?: unknown }).code === LOCK_NOT_AVAILABLE) return 'busy';
    throw error;
  }
}

/** Reads the partitions of a table, oldest first, without the partition `rest`. */
export const readPartitions = (database: Database, table: string): Promise<Partition[]> =>
  database.query<Partition>(LIST, [table]);

const LIST = `
SELECT partition.relname AS name, (regexp_match(bound, $$FROM \\('([^']+)'\\)$$))[1]::timestamptz AS from,
  (regexp_match(bound, $$TO \\('([^']+)'\\)$$))[1]::timestamptz AS until
FROM pg_inherits
JOIN pg_class partition ON partition.oid = pg_inherits.inhrelid
CROSS JOIN LATERAL pg_get_expr(partition.relpartbound, partition.oid) bound
WHERE pg_inherits.inhparent = $1::regclass AND bound <> 'DEFAULT'
ORDER BY until`;

const listPartitions = (transaction: Transaction, table: string): Promise<Partition[]> =>
  runStatement<Partition>(transaction, LIST, [table]);

const lockPartitions = (transaction: Transaction): Promise<object[]> =>
  runStatement(transaction, 'SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.partitions]);

const covers = ({ from, until }: Partition, day: string): boolean =>
  (!from || from <= new Date(day)) && new Date(day) < until;

async function addPartition(
  transaction: Transaction,
  { storage, next, rest }: Partitioning,
  { table, start }: { readonly table: string; readonly start: string },
): Promise<void> {
  const name = `${table}_${start.replaceAll('-', '')}`;
  const [from, until] = [`${start}T00:00:00Z`, `${next(start)}T00:00:00Z`];
  const parameters = storage ? ` WITH (${storage})` : '';
  await runStatement(
    transaction,
    `CREATE TABLE ${name} (LIKE ${table} INCLUDING DEFAULTS INCLUDING CONSTRAINTS)${parameters}`,
  );
  if (rest !== undefined) await takeFromRest(transaction, { rest, name, from, until });
  await runStatement(
    transaction,
    `ALTER TABLE ${table} ATTACH PARTITION ${name} FOR VALUES FROM ('${from}') TO ('${until}')`,
  );
}

/**
 * Moves the rows of a period from the partition `rest` to its new partition. A lock prevents writes to `rest`
 * meanwhile.
 */
async function takeFromRest(
  transaction: Transaction,
  { rest, name, from, until }: Readonly<Record<'rest' | 'name' | 'from' | 'until', string>>,
): Promise<void> {
  await runStatement(transaction, `SET LOCAL lock_timeout = '${LOCK_WAIT}'`);
  await runStatement(transaction, `LOCK TABLE ONLY ${rest} IN ACCESS EXCLUSIVE MODE`);
  await runStatement(
    transaction,
    `WITH moved AS (DELETE FROM ${rest} WHERE occurred_dt >= $1 AND occurred_dt < $2 RETURNING *)
     INSERT INTO ${name} SELECT * FROM moved`,
    [from, until],
  );
}

/** Reads the ends of the periods that ended more than `keepDays` days ago, oldest first. */
const oldPeriods = (
  database: Database,
  { tables: [table] }: Partitioning,
  keepDays: number,
): Promise<readonly Date[]> =>
  database.transaction(async (transaction) => {
    const [clock] = await runStatement<{ limit: Date }>(
      transaction,
      `SELECT clock_timestamp() - make_interval(days => $1) AS limit`,
      [keepDays],
    );
    const partitions = await listPartitions(transaction, table);
    return partitions.filter(({ until }) => clock && until <= clock.limit).map(({ until }) => until);
  });

/**
 * Drops a period unless it is needed. `isNeeded` is called again under the exclusive lock, so that a row that has just
 * changed is not lost.
 */
const dropPeriod = (database: Database, partitioning: Partitioning, until: Date): Promise<readonly string[]> =>
  database.transaction(async (transaction) => {
    const { tables, isNeeded = () => Promise.resolve(false) } = partitioning;
    await lockPartitions(transaction);
    const names = await namesOf(transaction, tables, until);
    if (await isNeeded(transaction, names)) return [];
    await runStatement(transaction, `SET LOCAL lock_timeout = '${LOCK_WAIT}'`);
    await runStatement(transaction, `LOCK TABLE ONLY ${tables.join(', ONLY ')} IN ACCESS EXCLUSIVE MODE`);
    if (await isNeeded(transaction, names)) return [];
    for (const name of names) await runStatement(transaction, `DROP TABLE ${name}`);
    return names;
  });

async function namesOf(transaction: Transaction, tables: readonly string[], until: Date): Promise<readonly string[]> {
  const names: string[] = [];
  for (const table of tables) {
    const partitions = await listPartitions(transaction, table);
    names.push(
      ...partitions.filter((partition) => partition.until.getTime() === until.getTime()).map(({ name }) => name),
    );
  }
  return names;
}
