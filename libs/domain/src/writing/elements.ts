import { isDeepStrictEqual } from 'node:util';
import { type Transaction } from '@ats/postgres';
import { getObjectType } from '../objects/object-model.js';
import { rowsOf } from '../reading/rows-of.js';
import { type ObjectType } from '../vocabulary/object-type.js';
import { columnValues } from './column-values.js';
import { type Representation } from './object-changes.js';
import { isRichText } from './rich-text-columns.js';
import { type WriteBody } from './write-schema.js';

/** A relation whose rows a body of the object contains. */
interface Elements {
  readonly name: string;
  readonly foreignKey: string;
  readonly target: ObjectType;
}

const elementsOf = ({ relations }: ObjectType): readonly Elements[] =>
  Object.entries(relations).flatMap(([name, { many, write, foreignKey, target }]) =>
    many && write && foreignKey ? [{ name, foreignKey, target: getObjectType(target) }] : [],
  );

const listIn = (body: WriteBody, name: string): readonly WriteBody[] => (body[name] ?? []) as readonly WriteBody[];

/** Inserts the related rows in the body of a new object, in the order of the body. */
export async function insertElements(
  transaction: Transaction,
  type: ObjectType,
  id: number,
  body: WriteBody,
): Promise<void> {
  for (const elements of elementsOf(type)) await insertRows(transaction, elements, id, body);
}

/** Returns the relations whose rows differ between the body and the object, as far as the representation can tell. */
export const changedElements = (type: ObjectType, body: WriteBody, before: Representation): readonly Elements[] =>
  elementsOf(type).filter(({ name, target }) => {
    const [given, stored] = [listIn(body, name), before[name]];
    if (!Array.isArray(stored) || given.length !== stored.length) return true;
    return !given.every((row, index) => isKept(target, row, stored[index] as Representation));
  });

/** Returns true when storing the row of a body gives the row that the representation shows. */
const isKept = ({ properties }: ObjectType, given: WriteBody, shown: Representation): boolean =>
  Object.entries(properties).every(([name, property]) => {
    if (!property.write) return true;
    if (property.kind !== 'attribute' || property.isLocalised || property.needsFurtherScopes) return false;
    if (isRichText(property) || !Object.hasOwn(shown, name)) return false;
    return isDeepStrictEqual(property.nullable ? (given[name] ?? null) : given[name], shown[name]);
  });

/** Replaces the related rows of an object by those in the body, in the order of the body. */
export async function replaceElements(
  transaction: Transaction,
  lists: readonly Elements[],
  id: number,
  body: WriteBody,
  before: Representation,
): Promise<void> {
  for (const elements of lists) {
    const { name, foreignKey, target } = elements;
    const shown = before[name];
    const isEmpty = Array.isArray(shown) && shown.length === 0;
    if (!isEmpty) await rowsOf(transaction, target).delete({ [foreignKey]: id });
    await insertRows(transaction, elements, id, body);
  }
}

async function insertRows(
  transaction: Transaction,
  { name, foreignKey, target }: Elements,
  id: number,
  body: WriteBody,
): Promise<void> {
  const rows = listIn(body, name).map((element, position) => ({
    ...columnValues(target, element),
    [foreignKey]: id,
    position,
  }));
  if (rows.length > 0) await rowsOf(transaction, target).insert(rows);
}
