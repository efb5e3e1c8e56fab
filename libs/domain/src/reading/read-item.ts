import { prepared, runPrepared, runStatement, type Transaction } from '@ats/postgres';
import { type RowSource } from '../vocabulary/resource.js';
import { itemStatement, type ReadSettings } from './representation-sql.js';
import { NotFoundError } from '../vocabulary/validation-error.js';

type Prepared = ReturnType<typeof prepared>;

/** The statements of each source, by their settings. */
const statements = new WeakMap<RowSource, Map<string, Prepared>>();

/** Number of statements of one source that are kept. It is enough for all languages and usual sets of scopes. */
const MAX_STATEMENTS = 50;

/**
 * Reads the representation of one item inside a transaction, including the transaction's own writes. The statement is
 * prepared, because every write runs it.
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
  const [row] =
    settings.layout || settings.fields
      ? await runStatement<{ body: string }>(transaction, itemStatement(source, settings), parameters)
      : await runPrepared<{ body: string }>(transaction, preparedItem(source, settings), parameters);
  if (!row) throw new NotFoundError(source.type.name, id);
  return row.body;
}

/** Returns true when items have the same representation with both settings. */
export const isSameRepresentation = (source: RowSource, one: ReadSettings, other: ReadSettings): boolean =>
  !one.layout &&
  !one.fields &&
  !other.layout &&
  !other.fields &&
  preparedItem(source, one).name === preparedItem(source, other).name;

function preparedItem(source: RowSource, settings: ReadSettings): Prepared {
  const known = statements.get(source) ?? new Map<string, Prepared>();
  statements.set(source, known);
  const key = JSON.stringify(settings);
  const statement = known.get(key) ?? prepared(itemStatement(source, settings));
  if (!known.has(key) && known.size >= MAX_STATEMENTS) known.clear();
  known.set(key, statement);
  return statement;
}
