import type pg from 'pg';
import { type EntityManager, QueryFailedError } from 'typeorm';
import { prepared } from './read-pool.js';

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

/** Runs the functions that `beforeCommit` has collected for this transaction, in the order of their registration. */
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
 * Maximum number of statements that a connection for transactions prepares. Each connection keeps the plans until it
 * closes, so further statements are planned each time.
 */
const MAX_PREPARED = 200;

const preparedBy = new WeakMap<pg.PoolClient, Set<string>>();

/** Returns true when the connection has prepared the statement, or may prepare it now. */
function mayPrepare(connection: pg.PoolClient, name: string): boolean {
  const names = preparedBy.get(connection) ?? new Set();
  preparedBy.set(connection, names);
  if (names.has(name)) return true;
  if (names.size >= MAX_PREPARED) return false;
  names.add(name);
  return true;
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
    const statement = { text, values: [...parameters], ...(mayPrepare(connection, name) && { name }) };
    return (await connection.query<Row>(statement)).rows;
  } catch (error) {
    throw new QueryFailedError(text, undefined, error as Error);
  }
}

/** Maximum number of different texts that `runRepeated` prepares in a process. */
const MAX_REPEATED = 150;

const repeated = new Map<string, ReturnType<typeof prepared>>();

/** `runRepeated` prepares a text from this use on, so that rare texts leave the room to frequent ones. */
const PREPARED_FROM_USE = 3;
/** Maximum number of texts whose uses are counted. When there are more, all counts begin again. */
const MAX_COUNTED = 1_000;
/** The number of uses of each text that is not prepared yet. */
const uses = new Map<string, number>();

/** Returns true when a text has been used often enough to be prepared. */
function isFrequent(text: string): boolean {
  const count = (uses.get(text) ?? 0) + 1;
  if (count >= PREPARED_FROM_USE) return uses.delete(text);
  if (uses.size >= MAX_COUNTED) uses.clear();
  uses.set(text, count);
  return false;
}

/**
 * Does the same as {@link runPrepared} for a text that the program builds from the descriptions of attributes, so that
 * many writes have the same text. The first uses of a text are planned each time, as are texts beyond the maximum.
 */
export async function runRepeated<Row extends object>(
  transaction: Transaction,
  text: string,
  parameters: readonly unknown[],
): Promise<Row[]> {
  const known = repeated.get(text);
  if (known) return runPrepared(transaction, known, parameters);
  if (repeated.size >= MAX_REPEATED || !isFrequent(text)) return runStatement(transaction, text, parameters);
  const statement = prepared(text);
  repeated.set(text, statement);
  return runPrepared(transaction, statement, parameters);
}
