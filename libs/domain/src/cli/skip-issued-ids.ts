import { type Database, runStatement } from '@ats/postgres';

/** Number of ids that are skipped. The service issues fewer ids between a backup and the loss of the server. */
const SKIPPED_IDS = 1_000_000;

/**
 * Moves all id sequences, and the message sequences of subscriptions, far ahead. Call this function after the database
 * was restored to an earlier time. Clients and receivers know ids that were issued after this time, and the service
 * must not issue these ids again. Clients see a gap in the ids.
 * @returns the number of id sequences
 */
export async function skipIssuedIds(database: Database): Promise<number> {
  return database.transaction(async (transaction) => {
    await runStatement(transaction, 'UPDATE notification_subscriptions SET last_sequence = last_sequence + $1', [
      SKIPPED_IDS,
    ]);
    const moved = await runStatement(
      transaction,
      `SELECT setval(format('%I.%I', schemaname, sequencename)::regclass, coalesce(last_value, 0) + $1)
       FROM pg_sequences WHERE schemaname = 'public'`,
      [SKIPPED_IDS],
    );
    return moved.length;
  });
}
