import { type Database } from '@ats/postgres';

/** A connection of the pool. */
type Connection = NonNullable<Parameters<Parameters<Database['pool']['connect']>[0]>[1]>;

/**
 * Idle time after which PostgreSQL ends a transaction that has locks. Without this limit, a frozen process could block
 * other transactions for a long time.
 */
export const EXCLUSIVE_IDLE_TIMEOUT = '5s';

/**
 * SQL that makes each connection plan the named statements of a transaction only once. The log of deliveries has many
 * partitions, so planning a statement for each call can take longer than running it. The plan finds rows through
 * indexes, even in a new partition without statistics.
 */
export const PLAN_ONCE = `SET LOCAL plan_cache_mode = force_generic_plan;
SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off; SET LOCAL enable_seqscan = off`;

/** SQL that begins a transaction with the settings of {@link PLAN_ONCE}. */
export const BEGIN_PLANNED = `BEGIN; SET LOCAL idle_in_transaction_session_timeout = '${EXCLUSIVE_IDLE_TIMEOUT}';
${PLAN_ONCE}`;

/**
 * SQL condition on the status of the delivery `d`, which the statement finds by its id. CASE hides the condition from
 * the planner. Without CASE, the planner may expect few rows with this status, and read the whole partial index of the
 * status once for each id. With a backlog, these reads take nearly all of the time of the statement.
 */
export const hasStatus = (d: string, status: string): string => `CASE ${d}.status WHEN '${status}' THEN true END`;

export interface DedicatedOptions {
  /** The name of the dedicated connection. */
  readonly name: string;
  /** SQL that begins the transaction and sets its settings. */
  readonly begin: string;
  /**
   * Sends COMMIT without waiting for answers. After an error, the server rolls back. It is never allowed for claims: a
   * process that is frozen meanwhile would get claims that it cannot use. Defaults to false.
   */
  readonly commitsUnread?: boolean;
}

/**
 * Runs the statements of `work` in a transaction on a dedicated connection, so that the process plans them only once.
 * Sends all of them at once, with BEGIN.
 * @param work  sends all its statements before it waits for an answer
 */
export async function dedicatedTransaction<T>(
  database: Database,
  { name, begin, commitsUnread = false }: DedicatedOptions,
  work: (client: Connection) => Promise<T>,
): Promise<T> {
  const client = await database.dedicated(name).connect();
  try {
    const sent = [client.query(begin), work(client)] as const;
    const committed = commitsUnread ? client.query('COMMIT') : undefined;
    const [[, result]] = await Promise.all([Promise.all(sent), committed]);
    if (!committed) await client.query('COMMIT');
    client.release();
    return result;
  } catch (error) {
    client.release(true);
    throw error;
  }
}

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
    // Destroying the connection ends its transaction. The connection does not return to the pool.
    client.release(true);
    throw error;
  }
}
