import { runStatement, type Transaction } from '@ats/postgres';

/** Runs a statement on the database or in a transaction, and returns its rows. */
export type RunQuery = (text: string, parameters: readonly unknown[]) => Promise<Record<string, unknown>[]>;

/** Returns a function that runs statements in a transaction. */
export const runIn =
  (transaction: Transaction): RunQuery =>
  (text, parameters) =>
    runStatement(transaction, text, parameters);
