import { isDeepStrictEqual } from 'node:util';
import { type ObjectType } from '../vocabulary/object-type.js';
import { isRichText, plainForm } from './rich-text-columns.js';
import { type WriteBody } from './write-schema.js';

/** One changed property. */
export interface Change {
  /** JSON pointer into the representation. */
  readonly path: string;
  readonly old: unknown;
  readonly new: unknown;
}

/** The representation of an object: the values of its properties by name. */
export type Representation = Readonly<Record<string, unknown>>;

/**
 * Returns the properties of an object that differ between two representations. Returns an empty list when only values
 * of other objects differ, such as a count of related rows: another transaction has changed these.
 */
export function changesBetween(type: ObjectType, old: Representation, current: Representation): readonly Change[] {
  const changed = Object.keys(current).filter(
    (name) => name !== 'updated_dt' && !isDeepStrictEqual(old[name], current[name]),
  );
  if (!changed.some((name) => !isDeepStrictEqual(ownValue(type, name, old), ownValue(type, name, current)))) return [];
  return changed.map((name) => {
    const property = type.properties[name];
    const shown = (value: unknown): unknown => (property && isRichText(property) ? plainForm(value) : value);
    return { path: `/${name}`, old: shown(old[name]), new: shown(current[name]) };
  });
}

/**
 * Returns the part of a property that belongs to the object itself. Counts of other rows become null, and a related
 * object becomes its id.
 */
function ownValue({ properties }: ObjectType, name: string, { [name]: value }: Representation): unknown {
  const property = properties[name];
  if (property?.kind === 'attribute') return property.readsOtherRows ? null : value;
  if (!property || property.keyColumn === undefined) return property?.many && !property.write ? null : value;
  return idIn(value);
}

/**
 * Returns true when a body changes a value of the object for certain: a text, a number or a boolean that the
 * representation shows as the column has it. It returns false when only the representation after the write can tell.
 */
export function changesForCertain({ attributes }: ObjectType, body: WriteBody, before: Representation): boolean {
  return Object.entries(attributes).some(([name, attribute]) => {
    const { column, write, shown, shownAt, type, format } = attribute;
    if (!column || !write || !shown || shownAt || format !== undefined) return false;
    if (attribute.isLocalised || attribute.many || attribute.needsFurtherScopes || isRichText(attribute)) return false;
    const [given, stored] = [body[name], before[name]];
    return (
      CERTAIN_COLUMNS[column.type] === type && typeof given === typeof stored && isScalar(given) && given !== stored
    );
  });
}

/** Maps types of columns to types of attributes, for columns whose stored values equal the values in JSON. */
const CERTAIN_COLUMNS: Readonly<Record<string, string>> = { text: 'text', boolean: 'boolean', integer: 'integer' };

const isScalar = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);

/** Returns the id of the related object in the representation, or null when there is none. */
const idIn = (value: unknown): unknown => (value as { readonly id?: unknown } | null | undefined)?.id ?? null;

/** Returns true when a body changes a to-one relation of the object. */
export const changesReference = ({ relations }: ObjectType, body: WriteBody, before: Representation): boolean =>
  Object.entries(relations).some(
    ([name, { write, many }]) => write && !many && (body[`${name}_id`] ?? null) !== idIn(before[name]),
  );

/**
 * Leaves out texts, numbers and booleans of a body that equal the values of the stored object. They need no check in
 * the database, because its constraints already hold for the stored values.
 */
export function newValues({ relations }: ObjectType, body: WriteBody, before: Representation): WriteBody {
  const ids = Object.fromEntries(Object.keys(relations).map((name) => [`${name}_id`, idIn(before[name])]));
  return Object.fromEntries(
    Object.entries(body).filter(([name, value]) => !isScalar(value) || value !== (ids[name] ?? before[name])),
  );
}
