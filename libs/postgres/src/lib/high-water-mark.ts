import { type Database } from './database.js';
import { runStatement } from './transaction.js';

const LOCK_TIMEOUT_MS = 250;
const LOCK_NOT_AVAILABLE = '55P03';

/** A table whose readers find new rows by their ids. */
export interface FollowedTable {
  readonly table: string;
  /** The advisory lock that each writer holds in share mode, from before it draws an id until its transaction ends. */
  readonly lock: number;
}

/**
 * Returns the highest id up to which all rows of a table are committed. Ids are drawn before COMMIT, so a reader that
 * reads rows above this id could miss a row that commits later. The function waits up to 250 ms for running writers.
 * @returns 0 when a writer takes longer; the reader must ask again later
 * Source: docs/reference/database.md, "High-water marks".
 */
export async function highWaterMark(database: Database, { table, lock }: FollowedTable): Promise<number> {
  try {
    return await database.transaction(async (transaction) => {
      await runStatement(transaction, `SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
      await runStatement(transaction, 'SELECT pg_advisory_xact_lock($1)', [lock]);
      const [sequence] = await runStatement<{ id: number }>(
        transaction,
        `SELECT coalesce(pg_sequence_last_value(pg_get_serial_sequence($1, 'id')), 0) AS id`,
        [table],
      );
      return sequence?.id ?? 0;
    });
  } catch (error) {
    if ((error as { readonly code?: unknown }).code === LOCK_NOT_AVAILABLE) return 0;
    throw error;
  }
}
