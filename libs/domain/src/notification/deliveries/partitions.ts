import {
  type Database,
  dayOf,
  dropOldPartitions,
  type DroppedPartitions,
  ensurePartitions,
  type Partition,
  type Partitioning,
  readPartitions,
  runStatement,
  type Transaction,
} from '@ats/postgres';

const DAY_MS = 86_400_000;

/**
 * The tables of the delivery log, with one partition for each day of the event (UTC). Both tables have partitions for
 * the same days.
 *
 * A row changes several times within seconds and never after that. The fill factor leaves space for these updates in
 * each page of the table, and the settings make autovacuum start after few changed rows.
 */
const DELIVERY_LOG: Partitioning = {
  tables: ['notification_deliveries', 'notification_attempts'],
  storage:
    'fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000, ' +
    'autovacuum_analyze_scale_factor = 0.05',
  next: (day) => dayOf(new Date(new Date(day).getTime() + DAY_MS)),
  isNeeded: hasUnfinished,
};

/**
 * Creates the missing partitions of the given days.
 * @param days  `YYYY-MM-DD`, UTC
 */
export const ensureDeliveryDays = (database: Database, days: readonly string[]): Promise<void> =>
  ensurePartitions(database, DELIVERY_LOG, days);

/**
 * Drops the days of the log that ended more than `keepDays` days ago. A day with an unfinished delivery is kept as a
 * whole. Source: docs/reference/notifications.md, "Where deliveries live".
 */
export const dropOldDeliveryDays = (database: Database, keepDays: number): Promise<DroppedPartitions> =>
  dropOldPartitions(database, DELIVERY_LOG, keepDays);

/** Reads the days for which the delivery log has partitions. The deliveries of all other days were deleted. */
export const keptDeliveryDays = (database: Database): Promise<Pick<Partition, 'from' | 'until'>[]> =>
  readPartitions(database, DELIVERY_LOG.tables[0]);

/** True when a delivery of the day is unfinished. It uses three small partial indexes and never scans the partition. */
async function hasUnfinished(transaction: Transaction, names: readonly string[]): Promise<boolean> {
  const day = names.find((name) => name.startsWith('notification_deliveries'));
  if (!day) return false;
  const exists = [`= 'due'`, `IN ('queued', 'sending')`, `= 'held'`].map(
    (condition) => `EXISTS (SELECT FROM ${day} WHERE status ${condition})`,
  );
  const [row] = await runStatement<{ found: boolean }>(transaction, `SELECT ${exists.join(' OR ')} AS found`);
  return row?.found === true;
}
