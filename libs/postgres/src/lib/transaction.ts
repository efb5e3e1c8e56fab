import type pg from 'pg';
import { type EntityManager, QueryFailedError } from 'typeorm';

/** The manager of one transaction. All statements of the transaction must go through it. */
export type Transaction = EntityManager;

const wakeAfterCommit = new WeakMap<Transaction, Set<string>>();

/** Returns the channels that `notifyAfterCommit` has collected for this transaction. */
export const channelsToNotify = (transaction: Transaction): ReadonlySet<string> | undefined =>
  wakeAfterCommit.get(transaction);

/** Requests one NOTIFY on the channel after the commit. When the transaction rolls back, none is sent. */
export function notifyAfterCommit(transaction: Transaction, channel: string): void {
  const channels = wakeAfterCommit.get(transaction) ?? new Set<string>();
  wakeAfterCommit.set(transaction, channels.add(channel));
}

const workBeforeCommit = new WeakMap<Transaction, (() => Promise<void>)[]>();

/**
 * Runs `work` at the end of the transaction, right before the commit. When `work` rejects, the transaction rolls back.
 * When the transaction rolls back for another reason, `work` does not run.
 */
export function beforeCommit(transaction: Transaction, work: () => Promise<void>): void {
  const all = workBeforeCommit.get(transaction) ?? [];
  workBeforeCommit.set(transaction, all);
  all.push(work);
}

/** Runs the work that `beforeCommit` has collected for this transaction, in order. */
export async function runBeforeCommit(transaction: Transaction): Promise<void> {
  for (const work of workBeforeCommit.get(transaction) ?? []) await work();
}

/**
 * Runs one statement of any kind inside a transaction and returns its rows. TypeORM itself returns `[rows, count]` for
 * UPDATE and DELETE, and only the rows for all others.
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

/**
 * Does the same as {@link runStatement} for a statement that each connection parses and plans once. Use it only for a
 * statement that most writes run, because each connection keeps its plan.
 * @param statement  made by `prepared`
 */
export async function runPrepared<Row extends object>(
  transaction: Transaction,
  { name, text }: { readonly name: string; readonly text: string },
  parameters: readonly unknown[],
): Promise<Row[]> {
  const runner = transaction.queryRunner;
  if (!runner) return runStatement(transaction, text, parameters);
  const connection = (await runner.connect()) as pg.PoolClient;
  try {
    return (await connection.query<Row>({ name, text, values: [...parameters] })).rows;
  } catch (error) {
    throw new QueryFailedError(text, undefined, error as Error);
  }
}
