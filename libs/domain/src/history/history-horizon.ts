import { type Database, runStatement } from '../database/database.js';
import { HISTORY_LOCK } from './history.js';

const LOCK_TIMEOUT_MS = 250;
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * The id up to which the history is complete: a reader who goes on after the last id it has seen must not run past entries
 * that have their id already and are committed later. Waits a moment for the transactions that are adding entries.
 * @returns 0 when they take too long: then nothing can be said for certain, and the reader asks again
 */
export async function historyHorizon(database: Database): Promise<number> {
  try {
    return await database.transaction(async (transaction) => {
      await runStatement(transaction, `SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
      await runStatement(transaction, `SELECT pg_advisory_xact_lock(${HISTORY_LOCK})`);
      const [sequence] = await runStatement<{ id: number }>(
        transaction,
        `SELECT coalesce(pg_sequence_last_value(pg_get_serial_sequence('history_entries', 'id')), 0) AS id`,
      );
      return sequence?.id ?? 0;
    });
  } catch (error) {
    if ((error as { readonly code?: unknown }).code === LOCK_NOT_AVAILABLE) return 0;
    throw error;
  }
}
