import { runStatement, type Transaction } from '@ats/postgres';

/** Anything that runs a statement: the database or a transaction. */
export type RunQuery = (text: string, parameters: readonly unknown[]) => Promise<Record<string, unknown>[]>;

/** Runs queries as a part of a transaction. */
export const runIn =
  (transaction: Transaction): RunQuery =>
  (text, parameters) =>
    runStatement(transaction, text, parameters);
