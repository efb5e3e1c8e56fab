import { ADVISORY_LOCKS, type Database, runStatement, type Transaction } from '@ats/postgres';

/**
 * The tables of the delivery log, partitioned by the day of the event (UTC). Both tables have partitions for the same
 * days.
 */
const TABLES = ['notification_deliveries', 'notification_attempts'] as const;
type PartitionedTable = (typeof TABLES)[number];

/**
 * A row changes several times within seconds, and then never again. The fill factor leaves space for these updates on
 * each page of the table, and autovacuum starts after a small number of changed rows.
 */
const STORAGE =
  'fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000, ' +
  'autovacuum_analyze_scale_factor = 0.05';
/**
 * Dropping a partition waits at most this long for its exclusive lock. The value is below PostgreSQL's deadlock timeout
 * (1 s), so that the drop fails before PostgreSQL could cancel an attempt to deliver.
 */
const DROP_WAIT = '500ms';
const LOCK_NOT_AVAILABLE = '55P03';

const DAY_MS = 86_400_000;

/** The UTC day of a time, such as `2026-11-22`. */
export const dayOf = (moment: Date): string => moment.toISOString().slice(0, 10);

/**
 * Creates the missing partitions of these days. A partition is created as a separate table and then attached, so that
 * no other transaction has to wait.
 * @param days `YYYY-MM-DD`, UTC
 */
export async function ensureDeliveryDays(database: Database, days: readonly string[]): Promise<void> {
  await database.transaction(async (transaction) => {
    await lockPartitions(transaction);
    for (const table of TABLES) {
      const partitions = await listPartitions(transaction, table);
      for (const day of days)
        if (!partitions.some((partition) => covers(partition, day))) await addDay(transaction, table, day);
    }
  });
}

export interface DroppedDays {
  /** Names of the dropped tables. */
  readonly dropped: readonly string[];
  /**
   * The number of days that were not dropped because their lock was not available. The caller should try again soon.
   */
  readonly busy: number;
}

/**
 * Drops the days of the log that ended more than `keepDays` days ago and in which every delivery is finished. A day
 * with an unfinished delivery is kept completely. Source: docs/reference/notifications.md, "Where deliveries live".
 */
export async function dropOldDeliveryDays(database: Database, keepDays: number): Promise<DroppedDays> {
  const days = await oldDays(database, keepDays);
  const results: (readonly string[] | 'busy')[] = [];
  for (const until of days) results.push(await dropDay(database, until));
  return {
    dropped: results.flatMap((result) => (result === 'busy' ? [] : result)),
    busy: results.filter((result) => result === 'busy').length,
  };
}

interface Partition {
  readonly name: string;
  /** Null for the first partition, which has no lower bound. */
  readonly from: Date | null;
  readonly until: Date;
}

const lockPartitions = (transaction: Transaction): Promise<object[]> =>
  runStatement(transaction, 'SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.partitions]);

const LIST = `
SELECT partition.relname AS name, (regexp_match(bound, $$FROM \\('([^']+)'\\)$$))[1]::timestamptz AS from,
  (regexp_match(bound, $$TO \\('([^']+)'\\)$$))[1]::timestamptz AS until
FROM pg_inherits
JOIN pg_class partition ON partition.oid = pg_inherits.inhrelid
CROSS JOIN LATERAL pg_get_expr(partition.relpartbound, partition.oid) bound
WHERE pg_inherits.inhparent = $1::regclass
ORDER BY until`;

const listPartitions = (transaction: Transaction, table: PartitionedTable): Promise<Partition[]> =>
  runStatement<Partition>(transaction, LIST, [table]);

/** Reads the days whose partitions the delivery log has. The deliveries of all other days were deleted. */
export const keptDeliveryDays = (database: Database): Promise<Pick<Partition, 'from' | 'until'>[]> =>
  database.query<Partition>(LIST, ['notification_deliveries']);

const covers = ({ from, until }: Partition, day: string): boolean =>
  (!from || from <= new Date(day)) && new Date(day) < until;

async function addDay(transaction: Transaction, table: PartitionedTable, day: string): Promise<void> {
  const name = `${table}_${day.replaceAll('-', '')}`;
  const next = dayOf(new Date(new Date(day).getTime() + DAY_MS));
  await runStatement(
    transaction,
    `CREATE TABLE ${name} (LIKE ${table} INCLUDING DEFAULTS INCLUDING CONSTRAINTS) WITH (${STORAGE})`,
  );
  await runStatement(
    transaction,
    `ALTER TABLE ${table} ATTACH PARTITION ${name} FOR VALUES FROM ('${day}T00:00:00Z') TO ('${next}T00:00:00Z')`,
  );
}

/** Reads the days of the log that ended more than `keepDays` days ago, oldest first. Returns the end of each day. */
async function oldDays(database: Database, keepDays: number): Promise<readonly Date[]> {
  return database.transaction(async (transaction) => {
    const [clock] = await runStatement<{ limit: Date }>(
      transaction,
      `SELECT clock_timestamp() - make_interval(days => $1) AS limit`,
      [keepDays],
    );
    const partitions = await listPartitions(transaction, 'notification_deliveries');
    return partitions.filter(({ until }) => clock && until <= clock.limit).map(({ until }) => until);
  });
}

async function dropDay(database: Database, until: Date): Promise<readonly string[] | 'busy'> {
  try {
    return await database.transaction((transaction) => dropFinishedDay(transaction, until));
  } catch (error) {
    if ((error as { readonly code?: unknown }).code === LOCK_NOT_AVAILABLE) return 'busy';
    throw error;
  }
}

/**
 * Drops a day if all its deliveries are finished. The check is repeated under the exclusive lock, so that a delivery
 * that is redelivered at this moment is not lost.
 */
async function dropFinishedDay(transaction: Transaction, until: Date): Promise<readonly string[]> {
  await lockPartitions(transaction);
  const names = await namesOf(transaction, until);
  if (await hasUnfinished(transaction, names)) return [];
  await runStatement(transaction, `SET LOCAL lock_timeout = '${DROP_WAIT}'`);
  await runStatement(transaction, `LOCK TABLE ONLY ${TABLES.join(', ONLY ')} IN ACCESS EXCLUSIVE MODE`);
  if (await hasUnfinished(transaction, names)) return [];
  for (const name of names) await runStatement(transaction, `DROP TABLE ${name}`);
  return names;
}

async function namesOf(transaction: Transaction, until: Date): Promise<readonly string[]> {
  const names: string[] = [];
  for (const table of TABLES) {
    const partitions = await listPartitions(transaction, table);
    names.push(
      ...partitions.filter((partition) => partition.until.getTime() === until.getTime()).map(({ name }) => name),
    );
  }
  return names;
}

/** True when a delivery of the day is not finished. Uses three small partial indexes and never scans the day. */
async function hasUnfinished(transaction: Transaction, names: readonly string[]): Promise<boolean> {
  const day = names.find((name) => name.startsWith('notification_deliveries'));
  if (!day) return false;
  const exists = [`= 'due'`, `IN ('queued', 'sending')`, `= 'held'`].map(
    (condition) => `EXISTS (SELECT FROM ${day} WHERE status ${condition})`,
  );
  const [row] = await runStatement<{ found: boolean }>(transaction, `SELECT ${exists.join(' OR ')} AS found`);
  return row?.found === true;
}
