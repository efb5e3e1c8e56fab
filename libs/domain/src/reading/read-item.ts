import { runStatement, type Transaction } from '@ats/postgres';
import { type RowSource } from '../vocabulary/resource.js';
import { itemStatement, type ReadSettings } from './representation-sql.js';
import { NotFoundError } from '../vocabulary/validation-error.js';

/**
 * Reads the representation of one item inside a transaction, including the transaction's own writes.
 * @returns JSON text
 * @throws {NotFoundError} when the collection has no such item
 */
export async function readItem(
  transaction: Transaction,
  source: RowSource,
  id: number,
  settings: ReadSettings,
  ownerId?: number,
): Promise<string> {
  const parameters = ownerId === undefined ? [id] : [id, ownerId];
  const [row] = await runStatement<{ body: string }>(transaction, itemStatement(source, settings), parameters);
  if (!row) throw new NotFoundError(source.type.name, id);
  return row.body;
}
