import { type Database, runStatement } from '@ats/postgres';

/** More than are given in the time between a backup's moment and the loss of the server, for years to come. */
const LEFT_OUT = 1_000_000;

/**
 * After the database went back in time: what was given since then is known to clients and receivers, and must not be given again
 * for something else. Ids, and the sequences of messages, go on far behind them; the gap is what others see of it.
 * @returns how many kinds of ids there are
 */
export async function skipIssuedIds(database: Database): Promise<number> {
  return database.transaction(async (transaction) => {
    await runStatement(transaction, 'UPDATE notification_subscriptions SET last_sequence = last_sequence + $1', [
      LEFT_OUT,
    ]);
    const moved = await runStatement(
      transaction,
      `SELECT setval(format('%I.%I', schemaname, sequencename)::regclass, coalesce(last_value, 0) + $1) FROM pg_sequences WHERE schemaname = 'public'`,
      [LEFT_OUT],
    );
    return moved.length;
  });
}
