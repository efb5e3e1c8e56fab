import { textToHtml } from '@ats/rich-text';
import { getObjectType } from '../src/objects/object-model.js';
import { type Attribute } from '../src/vocabulary/attribute.js';
import { type ObjectType } from '../src/vocabulary/object-type.js';
import { type Dice } from './dice.js';

export type Row = Readonly<Record<string, unknown>>;
/** Rows by table. */
export type Rows = Readonly<Record<string, readonly Row[]>>;

/** The values that rows and conditions use. There are few values, so that conditions often find rows. */
export interface Pools {
  readonly texts: readonly string[];
  /** E-mail addresses in upper and lower case. They are ASCII, as the schema of e-mail addresses demands. */
  readonly addresses: readonly string[];
  readonly dates: readonly string[];
  readonly moments: readonly string[];
  readonly decimals: readonly number[];
}

export interface RowSettings {
  readonly dice: Dice;
  readonly pools: Pools;
  readonly id: number;
  /** Returns the ids of all objects of a type, so that references can point to them. */
  readonly idsOf: (type: ObjectType) => readonly number[];
}

/** A random row of a type, made only from the object model. */
export function randomRow(type: ObjectType, settings: RowSettings): Row {
  const attributes = Object.entries(type.attributes).map(([name, attribute]) =>
    randomColumns(type, { name, attribute }, settings),
  );
  const references = Object.values(type.relations).flatMap((relation): Row[] => {
    if (!relation.column) return [];
    const ids = settings.idsOf(getObjectType(relation.target));
    const isAbsent = ids.length === 0 || (relation.nullable && settings.dice.chance(0.3));
    return [{ [relation.column]: isAbsent ? null : settings.dice.one(ids) }];
  });
  return Object.assign({}, ...attributes, ...references, type.fixed) as Row;
}

/** Random values for the stored columns of an attribute. A computed attribute has none. */
export function randomColumns(
  type: ObjectType,
  { name, attribute }: { readonly name: string; readonly attribute: Attribute },
  settings: Omit<RowSettings, 'idsOf'>,
): Row {
  const { column, htmlColumn, nullable } = attribute;
  if (!column) return {};
  const stored = column.name ?? name;
  const value = nullable && settings.dice.chance(0.3) ? null : randomValue(type, { name, attribute }, settings);
  if (htmlColumn === undefined) return { [stored]: value };
  // A value that is not a text has no HTML.
  return { [stored]: value, [htmlColumn]: typeof value === 'string' ? `<p>${textToHtml(value)}</p>` : null };
}

function randomValue(
  type: ObjectType,
  { name, attribute }: { readonly name: string; readonly attribute: Attribute },
  { dice, pools, id }: Omit<RowSettings, 'idsOf'>,
): unknown {
  if (name === 'id') return id;
  if (attribute.format === 'uuid') return `${id.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`;
  if (attribute.format === 'email') return dice.one(pools.addresses);
  if (attribute.values) return dice.one(attribute.values);
  if (attribute.isLocalised) return { en: dice.one(pools.texts) };
  switch (attribute.type) {
    case 'integer':
      return attribute.many ? [] : dice.below(3);
    case 'decimal':
      return dice.one(pools.decimals);
    case 'boolean':
      return dice.chance(0.5);
    case 'date':
      return dice.one(pools.dates);
    case 'datetime':
      return dice.one(pools.moments);
    case 'text':
    case 'rich_text': {
      if (attribute.many) return dice.some(pools.texts, 3);
      const text = dice.one(pools.texts);
      return Object.values(type.uniques).includes(`/${name}`) ? `${text}.${id}` : text;
    }
  }
}
