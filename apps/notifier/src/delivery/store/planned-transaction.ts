import { type Database } from '@ats/postgres';

/** A connection of the pool. */
type Connection = NonNullable<Parameters<Parameters<Database['pool']['connect']>[0]>[1]>;

/**
 * Idle time after which the server ends a transaction for whose locks others may wait. Otherwise a frozen process could
 * keep its locks.
 */
export const EXCLUSIVE_IDLE_TIMEOUT = '5s';

/**
 * SQL that begins a transaction whose named statements are planned only once for each connection. Planning for each
 * call takes up to a third of the time of a statement, because the log of deliveries has many partitions. The plan finds
 * few rows of a large table by their keys, even in a new partition without statistics.
 */
export const BEGIN_PLANNED = `BEGIN; SET LOCAL idle_in_transaction_session_timeout = '${EXCLUSIVE_IDLE_TIMEOUT}';
SET LOCAL plan_cache_mode = force_generic_plan;
SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off; SET LOCAL enable_seqscan = off`;

/**
 * SQL condition on the status of the delivery `d`, which the statement finds by its id. CASE hides the condition from
 * the planner. Otherwise, when statistics say that few rows have this status, the statement reads the partial index of
 * all these rows once for each id. With a backlog, this takes nearly all of its time.
 */
export const hasStatus = (d: string, status: string): string => `CASE ${d}.status WHEN '${status}' THEN true END`;

/**
 * Runs `work` in a transaction on one connection.
 * @param begin  SQL that begins the transaction and sets its settings
 */
export async function plannedTransaction<T>(
  database: Database,
  begin: string,
  work: (client: Connection) => Promise<T>,
): Promise<T> {
  const client = await database.pool.connect();
  try {
    await client.query(begin);
    const result = await work(client);
    await client.query('COMMIT');
    client.release();
    return result;
  } catch (error) {
    // The connection is destroyed, not returned to the pool, so that its transaction ends.
    client.release(true);
    throw error;
  }
}
