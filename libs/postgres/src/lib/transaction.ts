import { type EntityManager } from 'typeorm';

/** Everything inside one transaction uses this manager and no other. */
export type Transaction = EntityManager;

const wakeAfterCommit = new WeakMap<Transaction, Set<string>>();

/** The channels that `notifyAfterCommit` has named for this transaction. */
export const channelsToNotify = (transaction: Transaction): ReadonlySet<string> | undefined =>
  wakeAfterCommit.get(transaction);

/** Asks for a NOTIFY on the channel once the transaction has been committed. */
export function notifyAfterCommit(transaction: Transaction, channel: string): void {
  const channels = wakeAfterCommit.get(transaction) ?? new Set<string>();
  wakeAfterCommit.set(transaction, channels.add(channel));
}

/**
 * One statement inside a transaction, its rows whatever the verb: TypeORM answers an UPDATE or DELETE with
 * `[rows, count]`, all others with the rows alone.
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
