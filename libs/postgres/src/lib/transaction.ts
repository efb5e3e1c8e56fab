import { type EntityManager } from 'typeorm';

/** The manager of one transaction. Every statement of the transaction must go through it. */
export type Transaction = EntityManager;

const wakeAfterCommit = new WeakMap<Transaction, Set<string>>();

/** The channels that `notifyAfterCommit` has collected for this transaction. */
export const channelsToNotify = (transaction: Transaction): ReadonlySet<string> | undefined =>
  wakeAfterCommit.get(transaction);

/** Requests one NOTIFY on the channel after the commit. A transaction that rolls back sends none. */
export function notifyAfterCommit(transaction: Transaction, channel: string): void {
  const channels = wakeAfterCommit.get(transaction) ?? new Set<string>();
  wakeAfterCommit.set(transaction, channels.add(channel));
}

/**
 * Runs one statement inside a transaction and returns its rows, for every kind of statement. TypeORM returns
 * `[rows, count]` for UPDATE and DELETE, and the rows alone for all others.
 */
export async function runStatement<Row extends object>(
  transaction: Transaction,
  text: string,
  parameters: readonly unknown[] = [],
): Promise<Row[]> {
  const answer: unknown = await transaction.query(text, [...parameters]);
  const isPair =
    Array.isArray(answer) && answer.length === 2 && Array.isArray(answer[0]) && typeof answer[1] === 'number';
  return (isPair ? answer[0] : answer) as Row[];
}
