import { runStatement, type Transaction } from '@ats/postgres';
import { type RowSource } from '../vocabulary/resource.js';
import { itemStatement, type ReadSettings } from './representation-sql.js';
import { NotFoundError } from '../vocabulary/validation-error.js';

/**
 * The representation of one item inside a transaction, so that what it has just written is in it.
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
