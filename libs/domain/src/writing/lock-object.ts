import { runStatement, type Transaction } from '@ats/postgres';
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
  const fixed = Object.entries({ ...source.type.fixed, ...source.fixed });
  const conditions = fixed.map(([column], index) => ` AND ${column} = $${index + 2}`).join('');
  const rows = await runStatement(
    transaction,
    `SELECT 1 FROM ${tableOf(source.type)} WHERE id = $1${conditions} FOR ${strength}`,
    [id, ...fixed.map(([, value]) => value)],
  );
  if (rows.length === 0) throw new NotFoundError(source.type.name, id);
}
