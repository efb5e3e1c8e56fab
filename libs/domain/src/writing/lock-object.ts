import { runRepeated, type Transaction } from '@ats/postgres';
import { type RowSource } from '../vocabulary/resource.js';
import { tableOf } from '../reading/representation-sql.js';
import { NotFoundError } from '../vocabulary/validation-error.js';

/**
 * Locks the row of an object until the transaction ends.
 * @throws {NotFoundError} when the collection has no such item
 */
export async function lockObject(
  transaction: Transaction,
  source: RowSource,
  id: number,
  strength: 'UPDATE' | 'SHARE' | 'KEY SHARE' = 'UPDATE',
): Promise<void> {
  await lockAndRead(transaction, { source, id, strength, column: '1' });
}

interface Lock {
  readonly source: RowSource;
  readonly id: number;
  readonly strength: 'UPDATE' | 'SHARE' | 'KEY SHARE';
  /** SQL of a value that the statement returns, so that no further statement has to read it. */
  readonly column: string;
}

/**
 * Does the same as {@link lockObject}, and returns the value of `column`.
 * @throws {NotFoundError} when the collection has no such item
 */
export async function lockAndRead(transaction: Transaction, { source, id, strength, column }: Lock): Promise<unknown> {
  const fixed = Object.entries({ ...source.type.fixed, ...source.fixed });
  const conditions = fixed.map(([column], index) => ` AND ${column} = $${index + 2}`).join('');
  const [row] = await runRepeated<{ value: unknown }>(
    transaction,
    `SELECT ${column} AS value FROM ${tableOf(source.type)} WHERE id = $1${conditions} FOR ${strength}`,
    [id, ...fixed.map(([, value]) => value)],
  );
  if (!row) throw new NotFoundError(source.type.name, id);
  return row.value;
}
