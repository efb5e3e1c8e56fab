import { prepared, runPrepared, runRepeated, runStatement, type Transaction } from '@ats/postgres';
import { type RowSource } from '../vocabulary/resource.js';
import { itemStatement, type ReadSettings } from './representation-sql.js';
import { NotFoundError } from '../vocabulary/validation-error.js';

type Prepared = ReturnType<typeof prepared>;

interface ItemStatements {
  readonly read: Prepared;
  /** SQL that reads the item from the row in the common table expression `changed`. */
  readonly readChanged: string;
}

/** Caches the statements that read an item: for each source, by the settings of the reader. */
const statements = new WeakMap<RowSource, Map<string, ItemStatements>>();

/** Maximum number of cached statements for one source. It is enough for all languages and usual sets of scopes. */
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
      : await runPrepared<{ body: string }>(transaction, statementsOf(source, settings).read, parameters);
  if (!row) throw new NotFoundError(source.type.name, id);
  return row.body;
}

/** An UPDATE of one item, and what its statement does in addition. */
interface ItemUpdate {
  /** An UPDATE without RETURNING, whose `$1` is the id of the item. */
  readonly update: string;
  readonly parameters: readonly unknown[];
  /**
   * The settings of the representations to read. A representation may read the updated row only as the item itself. Any
   * other read of this row in the statement returns the values before the change.
   */
  readonly read: readonly ReadSettings[];
  /** SQL of an INSERT that reads the updated row from `changed` and returns the id of the new row. */
  readonly insert?: string | undefined;
}

interface UpdatedItem {
  /** The representations as JSON text, in the order of `read`. */
  readonly bodies: readonly string[];
  /** The id of the inserted row; undefined when no row was inserted. */
  readonly insertedId?: unknown;
}

/**
 * Updates an item, reads its representations and inserts a row in one statement.
 * @throws {NotFoundError} when there is no such item and a representation is read
 */
export async function updateItem(
  transaction: Transaction,
  source: RowSource,
  { update, parameters, read, insert }: ItemUpdate,
): Promise<UpdatedItem> {
  const columns = [
    ...read.map((settings, index) => `(${statementsOf(source, settings).readChanged}) AS body${index}`),
    ...(insert === undefined ? [] : ['(SELECT id FROM inserted) AS inserted_id']),
  ];
  const inserted = insert === undefined ? '' : `, inserted AS (${insert})`;
  const text =
    columns.length === 0 ? update : `WITH changed AS (${update} RETURNING *)${inserted} SELECT ${columns.join(', ')}`;
  const [row] = await runRepeated<Readonly<Record<string, unknown>>>(transaction, text, parameters);
  const bodies = read.map((_, index) => {
    const body = row?.[`body${index}`];
    if (typeof body !== 'string') throw new NotFoundError(source.type.name, Number(parameters[0]));
    return body;
  });
  return { bodies, insertedId: row?.['inserted_id'] ?? undefined };
}

/** Returns true when an item has the same representation with both settings. */
export const isSameRepresentation = (source: RowSource, one: ReadSettings, other: ReadSettings): boolean =>
  !one.layout &&
  !one.fields &&
  !other.layout &&
  !other.fields &&
  statementsOf(source, one).read.name === statementsOf(source, other).read.name;

function statementsOf(source: RowSource, settings: ReadSettings): ItemStatements {
  const known = statements.get(source) ?? new Map<string, ItemStatements>();
  statements.set(source, known);
  const key = JSON.stringify(settings);
  const found = known.get(key) ?? {
    read: prepared(itemStatement(source, settings)),
    readChanged: itemStatement(source, settings, 'changed'),
  };
  if (!known.has(key) && known.size >= MAX_STATEMENTS) known.clear();
  known.set(key, found);
  return found;
}
