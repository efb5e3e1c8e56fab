import { runRepeated, runStatement, type Transaction } from '@ats/postgres';
import { changedElements, insertElements, replaceElements } from './elements.js';
import { collectionNames, type Resource, type RowSource, type Usage } from '../vocabulary/resource.js';
import { tableOf, type ReadSettings } from '../reading/representation-sql.js';
import { rowsOf } from '../reading/rows-of.js';
import { type ObjectType } from '../vocabulary/object-type.js';
import { ALL_LANGUAGES } from '../vocabulary/languages.js';
import { hasLocalisedTexts, localisedBody } from './localised-body.js';
import { columnValues, defaultsOf } from './column-values.js';
import { hasRichText } from './rich-text-columns.js';
import {
  type Change,
  changesBetween,
  changesForCertain,
  changesReference,
  newValues,
  type Representation,
} from './object-changes.js';
import { toValidationError } from './constraint-violations.js';
import { ValidationError } from '../vocabulary/validation-error.js';
import { bodyViolations } from './body-violations.js';
import { lockForChange } from './event/former-values.js';
import { eventOfUpdate, noteChanges } from './event/note-changes.js';
import { lockObject } from './lock-object.js';
import { isSameRepresentation, readItem, updateItem } from '../reading/read-item.js';
import { type WriteBody } from './write-schema.js';

/** Values of columns that do not come from the body, by column name. */
export type ColumnValues = Readonly<Record<string, unknown>>;

const parse = (body: string): Representation => JSON.parse(body) as Representation;

/**
 * Inserts an object from a checked body, and notes the event of the creation.
 * @returns the id of the object
 * @throws {ValidationError} when a referenced object is missing or a unique value exists
 */
export async function insertObject(
  transaction: Transaction,
  source: RowSource,
  body: WriteBody,
  extra: ColumnValues = {},
): Promise<number> {
  const { type } = source;
  await refuseViolations(transaction, source, body);
  const stored = await localisedBody(transaction, type, { body });
  const values = { ...columnValues(type, stored), ...type.fixed, ...source.fixed, ...extra };
  try {
    const { identifiers } = await rowsOf(transaction, type).insert(values);
    const id = Number(identifiers[0]?.['id']);
    await insertElements(transaction, type, id, stored);
    await noteChanges(transaction, { root: type.name, change: 'create', ids: [id] });
    return id;
  } catch (error) {
    throw toValidationError(error, source);
  }
}

/** The object to replace, and its new values. */
export interface ReplacedObject {
  readonly id: number;
  readonly body: WriteBody;
  readonly extra?: ColumnValues;
  readonly ownerId?: number;
  /**
   * The representation before the change, with the settings of the request, as JSON text. Set it only if the
   * transaction has locked the object as `lockForChange` does, and has read it after that. Otherwise `replaceObject`
   * does both.
   */
  readonly present?: string | undefined;
}

export interface Replacement {
  /**
   * The changed properties. Empty when the write changed nothing; a write without changes adds no history entry and
   * raises no event.
   */
  readonly changes: readonly Change[];
  /**
   * The representation after the write, as JSON text. Undefined when the client reads another representation than the
   * write compared, so that it must be read.
   */
  readonly text: string | undefined;
}

/**
 * Replaces all values that a client may write. Properties that the body leaves out get their defaults. Notes the event
 * of the change.
 * @throws {NotFoundError} when the collection has no such item
 * @throws {ValidationError} when a referenced object is missing or a unique value exists
 */
export async function replaceObject(
  transaction: Transaction,
  source: RowSource,
  target: ReplacedObject,
  settings: ReadSettings,
): Promise<Replacement> {
  const { type } = source;
  const { id, body } = target;
  if (target.present === undefined) await lockForChange(transaction, source, id);
  const { before, compared } = await readBefore(transaction, source, target, settings);
  await refuseViolations(transaction, source, newValues(type, body, before), id);
  const stored = await localisedBody(transaction, type, { body, before, settings });
  const lists = changedElements(type, stored, before);
  const isTouched = changesForCertain(type, stored, before);
  let updated: UpdatedRow;
  try {
    const values = { ...defaultsOf(type), ...columnValues(type, stored, before), ...target.extra };
    updated = await updateRow(
      transaction,
      source,
      // When the change is certain, one statement writes the values and the time, and records the event. A second
      // statement for the time would write the row and its indexes again.
      { id, values: isTouched ? { ...values, updated_dt: NOW } : values, isTouched, hasReads: lists.length === 0 },
      { compared, shown: settings },
    );
    await replaceElements(transaction, lists, id, stored, before);
  } catch (error) {
    throw toValidationError(error, source);
  }
  const text = updated.compared ?? (await readItem(transaction, source, id, compared, target.ownerId));
  const changes = changesBetween(type, before, parse(text));
  if (changes.length > 0) {
    if (!isTouched) await touch(transaction, type, id);
    if (!updated.isRecorded) await noteChanges(transaction, { root: type.name, change: 'update', ids: [id] });
  }
  const isFinal = isTouched || changes.length === 0;
  const shown = updated.shown ?? (isSameRepresentation(source, compared, settings) ? text : undefined);
  return { changes, text: isFinal ? shown : undefined };
}

/**
 * Reads an object before it is replaced, to compare it with the object after the change. The comparison covers all
 * languages, and rich texts as both HTML and plain text. The client's settings, with one language and one format, are
 * enough for an object without translated or rich texts, unless the body changes a reference: related objects may have
 * such texts.
 * @returns the representation, and the settings with which it was read
 */
async function readBefore(
  transaction: Transaction,
  source: RowSource,
  { id, body, ownerId, present }: ReplacedObject,
  settings: ReadSettings,
): Promise<{ readonly before: Representation; readonly compared: ReadSettings }> {
  const { type } = source;
  const read = async (compared: ReadSettings) => ({
    before: parse(
      present !== undefined && isSameRepresentation(source, compared, settings)
        ? present
        : await readItem(transaction, source, id, compared, ownerId),
    ),
    compared,
  });
  if (!hasLocalisedTexts(type) && !hasRichText(type)) {
    const shown = await read(settings);
    if (!changesReference(type, body, shown.before)) return shown;
  }
  return read({ ...settings, language: ALL_LANGUAGES, richText: 'both' });
}

interface RowUpdate {
  readonly id: number;
  /** The values by column. A function returns SQL. */
  readonly values: ColumnValues;
  /** True when the update changes the object for certain. */
  readonly isTouched: boolean;
  /** True when the object has its final related rows already, so that the statement can read the representations. */
  readonly hasReads: boolean;
}

interface UpdatedRow {
  /** The representations after the update. Undefined when the statement did not read them. */
  readonly compared?: string | undefined;
  readonly shown?: string | undefined;
  /** True when the statement recorded the event of the update. */
  readonly isRecorded: boolean;
}

/**
 * Sets columns of a row. The same statement reads the representations, for a source whose items need no owner, and
 * records the event. Bodies with the same properties have the same statement, which is planned once.
 */
async function updateRow(
  transaction: Transaction,
  source: RowSource,
  { id, values, isTouched, hasReads }: RowUpdate,
  { compared, shown }: { readonly compared: ReadSettings; readonly shown: ReadSettings },
): Promise<UpdatedRow> {
  const { type } = source;
  const { metadata } = rowsOf(transaction, type);
  const parameters: unknown[] = [id];
  const sets = Object.entries(values).flatMap(([name, value]) => {
    const column = metadata.findColumnWithPropertyName(name);
    if (value === undefined) return [];
    if (!column) throw new Error(`the table ${tableOf(type)} has no column ${name}`);
    if (typeof value === 'function') return [`"${name}" = ${String((value as () => string)())}`];
    parameters.push(transaction.connection.driver.preparePersistentValue(value, column));
    return [`"${name}" = $${parameters.length}`];
  });
  if (sets.length === 0) return { isRecorded: false };
  const event = isTouched ? eventOfUpdate(transaction, type.name, id) : undefined;
  const settings = shown.layout || shown.fields || isSameRepresentation(source, compared, shown) ? [] : [shown];
  const { bodies, insertedId } = await updateItem(transaction, source, {
    update: `UPDATE ${tableOf(type)} SET ${sets.join(', ')} WHERE id = $1`,
    parameters: [...parameters, ...(event?.parameters ?? [])],
    read: hasReads && source.ownerColumn === undefined ? [compared, ...settings] : [],
    insert: event?.sql(parameters.length + 1),
  });
  if (insertedId !== undefined) event?.recorded(insertedId);
  return { compared: bodies[0], shown: bodies[1], isRecorded: insertedId !== undefined };
}

const NOW = (): string => 'clock_timestamp()';

/**
 * Sets `updated_dt` after a change of the object, or of rows in other tables that its representation shows. The value
 * is the time of the write, not of the transaction's start: a transaction that had to wait must not set an earlier time
 * than the write before it.
 */
export async function touch(transaction: Transaction, type: ObjectType, id: number): Promise<void> {
  await runRepeated(transaction, `UPDATE ${tableOf(type)} SET updated_dt = clock_timestamp() WHERE id = $1`, [id]);
}

/** Deletes an object, and records the event of the deletion. @throws {NotFoundError} */
export async function deleteObject(transaction: Transaction, source: RowSource, id: number): Promise<void> {
  await lockObject(transaction, source, id);
  await noteChanges(transaction, { root: source.type.name, change: 'delete', ids: [id] });
  await rowsOf(transaction, source.type).delete({ id });
}

/**
 * Deletes an item. Refuses the deletion while rows of the tables in `usedBy` point to the item. A lock on the item
 * prevents other transactions from adding such rows before the deletion.
 * @throws {ValidationError} `in_use` when there are such rows
 * @throws {NotFoundError} when the collection has no such item
 */
export async function deleteUnusedItem(transaction: Transaction, resource: Resource, id: number): Promise<void> {
  await lockObject(transaction, resource, id);
  for (const usage of resource.usedBy ?? []) await refuseUsed(transaction, resource, id, usage);
  await deleteObject(transaction, resource, id);
}

/**
 * Refuses to delete an item while rows of another table point to it. When exactly one row points to it, the violation
 * names the row, if clients can read the row in a collection of its own.
 * @throws {ValidationError} `in_use` when there are such rows
 */
export async function refuseUsed(
  transaction: Transaction,
  { name }: RowSource,
  id: number,
  { resource, table, column, info }: Usage,
): Promise<void> {
  const rows = await runStatement<{ id: number }>(transaction, `SELECT id FROM ${table} WHERE ${column} = $1 LIMIT 2`, [
    id,
  ]);
  const [first, ...others] = rows;
  if (!first) return;
  const isNamed = others.length === 0 && collectionNames().includes(resource);
  const existing = isNamed ? { existing: { resource, id: first.id } } : {};
  throw new ValidationError(name, [{ path: '', code: 'in_use', info, ...existing }]);
}

async function refuseViolations(
  transaction: Transaction,
  source: RowSource,
  body: WriteBody,
  ownId?: number,
): Promise<void> {
  const violations = await bodyViolations(transaction, source, body, ownId);
  if (violations.length > 0) throw new ValidationError(source.name, violations);
}
