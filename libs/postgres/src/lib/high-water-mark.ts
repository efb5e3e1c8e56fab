import { type Database } from './database.js';
import { runStatement } from './transaction.js';

const LOCK_TIMEOUT_MS = 250;
const LOCK_NOT_AVAILABLE = '55P03';

/** A table that readers follow by its ids, with the lock that every transaction holds in share from before it takes an id until it ends. */
export interface FollowedTable {
  readonly table: string;
  readonly lock: number;
}

/**
 * The id up to which a table is complete: a reader who goes on after the last id it has seen must not run past rows that have
 * their id already and are committed later. Waits a moment for the transactions that are adding some.
 * @returns 0 when they take too long: then nothing can be said for certain, and the reader asks again
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
