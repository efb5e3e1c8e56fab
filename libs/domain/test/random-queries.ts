import { type KnownItem } from '../src/facts/form-items.js';
import { formValueType, isOwnedBy } from '../src/objects/form-value.model.js';
import { FORM_ROOTS } from '../src/objects/form.model.js';
import { type MemoryContext, type ObjectData } from '../src/vocabulary/attribute-options.js';
import { attributeAt } from '../src/objects/attribute-at.js';
import { getObjectType } from '../src/objects/object-model.js';
import { type ObjectType } from '../src/vocabulary/object-type.js';
import { representationOf } from '../src/reading/representation.js';
import { type Attribute } from '../src/vocabulary/attribute.js';
import { type Dice } from './dice.js';
import { type Pools } from './random-row.js';

/** A search key with its datapath and attribute. */
export interface Key {
  readonly text: string;
  /** The datapath from the root, without the root's name. */
  readonly datapath: string;
  /** The attribute at the end; absent for a reference. */
  readonly attribute?: Attribute;
  readonly hasId: boolean;
  readonly many: boolean;
}

/**
 * Returns all search keys of a type: its JSON pointers, and its datapaths through at most `depth` relations, with form
 * items.
 */
export function keysOf(type: ObjectType, depth: number, items: readonly KnownItem[] = []): readonly Key[] {
  const datapaths = datapathsOf(type, { prefix: '', depth, many: false, items, lists: [] });
  // The root may be omitted, except when its name is also the name of one of its properties.
  return [
    ...pointersOf(type),
    ...datapaths.map((key, index) =>
      index % 3 === 0 || key.text.startsWith(type.name) ? { ...key, text: `${type.name}.${key.text}` } : key,
    ),
  ];
}

function pointersOf(type: ObjectType): readonly Key[] {
  return representationOf(type).flatMap(({ pointer, datapath }): Key[] => {
    const { attribute, owner, isThroughMany } = attributeAt(type, datapath);
    const many = isThroughMany || attribute.many;
    const key = { datapath, attribute, hasId: true, many };
    const below = pointer.replace(/\/id$/, '');
    const reference =
      below !== pointer && below !== '' && datapath.endsWith('.id')
        ? [{ text: below, datapath: datapath.replace(/\.id$/, ''), hasId: true, many }]
        : [];
    if (!pointer.includes('*'))
      return [{ ...key, text: pointer }, ...(attribute.many ? [{ ...key, text: `${pointer}/*` }] : []), ...reference];
    const labels = owner.attributes['Label']?.values ?? [];
    const list = {
      text: pointer.replace(/\/\*.*$/, ''),
      datapath: datapath.replace(/\.\w+$/, ''),
      hasId: false,
      many: true,
    };
    return [
      { ...key, text: pointer },
      list,
      ...labels.map((label) => ({ ...key, text: pointer.replace('*', `[${label}]`) })),
    ];
  });
}

interface Below {
  readonly prefix: string;
  readonly depth: number;
  readonly many: boolean;
  readonly items: readonly KnownItem[];
  /** The lists that the datapath follows, with their types. A datapath follows each list at most once. */
  readonly lists: readonly string[];
}

function datapathsOf(type: ObjectType, { prefix, depth, many, items, lists }: Below): readonly Key[] {
  const own = Object.entries(type.attributes).map(([name, attribute]): Key => {
    const text = `${prefix}${name}`;
    return { text, datapath: text, attribute, hasId: true, many: many || attribute.many };
  });
  const related = Object.entries(type.relations).flatMap(([name, relation]): readonly Key[] => {
    const list = `${type.name}.${name}`;
    if (lists.includes(list)) return [];
    const target = getObjectType(relation.target);
    const text = `${prefix}${name}`;
    const isMany = many || relation.many;
    const hasId = 'id' in target.attributes;
    const reference = hasId || relation.many ? [{ text, datapath: text, hasId, many: isMany }] : [];
    return [
      ...reference,
      ...(depth > 0
        ? datapathsOf(target, {
            prefix: `${text}.`,
            depth: depth - 1,
            many: isMany,
            items,
            lists: relation.many ? [...lists, list] : lists,
          })
        : []),
    ];
  });
  const values = type.hasFormData ? items.filter(({ resource }) => isOwnedBy(type.name, FORM_ROOTS[resource])) : [];
  return [...own, ...related, ...values.flatMap((item) => formKeys(type, item, { prefix, many }))];
}

/** Returns three keys of a form item: its first value with and without instance numbers, and section instance 2. */
function formKeys(type: ObjectType, item: KnownItem, { prefix, many }: Pick<Below, 'prefix' | 'many'>): readonly Key[] {
  const attribute = formValueType(type.name, item.type).attributes['value'];
  if (!attribute) throw new Error('the object type form value has no attribute value');
  return ['', ':1:1', ':2'].map((instances): Key => {
    const text = `${prefix}formdata.${item.id}${instances}`;
    return { text, datapath: text, attribute, hasId: true, many: many || attribute.many };
  });
}

/**
 * Returns the values that an object has at a datapath, so that conditions can use existing values.
 * @param ofMissing  the values of a list element whose to-one relation has no object. Defaults to none
 */
export function valuesAt(
  type: ObjectType,
  object: ObjectData,
  datapath: string,
  context: MemoryContext,
  ofMissing: readonly unknown[] = [],
): readonly unknown[] {
  return valuesBelow(type, object, datapath, { context, ofMissing, isInList: false });
}

interface Reading {
  readonly context: MemoryContext;
  readonly ofMissing: readonly unknown[];
  readonly isInList: boolean;
}

function valuesBelow(type: ObjectType, object: ObjectData, datapath: string, reading: Reading): readonly unknown[] {
  const [name = '', ...rest] = datapath.split('.');
  const relation = type.relations[name];
  if (name === 'formdata') {
    const [item, section = '1', form = '1'] = rest.join('.').split(':');
    const value = (object[`formdata.${[item, section, form].join(':')}`] as ObjectData | undefined)?.['value'];
    return Array.isArray(value) ? (value as unknown[]) : [value];
  }
  if (!relation) {
    const value = type.attributes[name]?.memory(object, reading.context);
    return Array.isArray(value) ? (value as unknown[]) : [value];
  }
  const target = getObjectType(relation.target);
  const next = object[name];
  const objects = (Array.isArray(next) ? next : [next]).filter(
    (one): one is ObjectData => typeof one === 'object' && one !== null,
  );
  if (reading.isInList && !relation.many && objects.length === 0)
    return leadsToList(target, rest) ? [] : reading.ofMissing;
  const below = { ...reading, isInList: reading.isInList || relation.many };
  return rest.length === 0
    ? objects.map(({ id }) => id)
    : objects.flatMap((one) => valuesBelow(target, one, rest.join('.'), below));
}

/**
 * True when the datapath follows a to-many relation, or ends in an attribute with a list. Without its object, such a
 * datapath has no values.
 */
function leadsToList(type: ObjectType, [name = '', ...rest]: readonly string[]): boolean {
  const relation = type.relations[name];
  if (!relation) return type.attributes[name]?.many === true;
  return relation.many || leadsToList(getObjectType(relation.target), rest);
}

const ORDER = ['<', '<=', '>', '>='] as const;
const ALL = ['=', '!=', '=~', '!~', ...ORDER] as const;

/**
 * A random `search` parameter for a key: any operator with an existing, similar or other value, a list, or no value.
 */
export function randomSearch(dice: Dice, pools: Pools, key: Key, present: readonly unknown[]): string {
  const isPlain = !key.attribute || key.attribute.type === 'boolean';
  const operator = isPlain ? dice.one(['=', '!='] as const) : dice.one(ALL);
  const value = (): string => (key.hasId ? randomValue(dice, { pools, key, present }) : '');
  if (operator === '=' || operator === '!=') {
    if (dice.chance(0.15)) return `${key.text}${operator}`;
    const values = dice.chance(0.4) ? Array.from({ length: 1 + dice.below(3) }, value) : [];
    if (values.length === 1 && values[0] === '') values.push('');
    if (values.length > 0)
      return `${key.text}${operator}{${values.map((text) => text.replace(/[\\{},]/g, '\\$&')).join(',')}}`;
    const one = value();
    return `${key.text}${operator}${isOwnValue(one) ? one : ''}`;
  }
  const text = operator.endsWith('~') ? randomPiece(dice, value()) : value();
  return `${key.text}${operator}${text !== '' && isOwnValue(text) ? text : fallback(key, operator)}`;
}

/**
 * True when a text can follow an operator without braces. Braces are needed when the text begins with a character that
 * could also continue the operator or begin a list.
 */
const isOwnValue = (text: string): boolean => !/^[{~=]/.test(text);

/** Returns a value for an operator that does not accept an empty value. */
function fallback({ attribute }: Key, operator: string): string {
  if (operator.endsWith('~')) return '0';
  switch (attribute?.type) {
    case 'date':
    case 'datetime':
      return '2026-03-01';
    case 'integer':
    case 'decimal':
      return '2';
    default:
      return 'i';
  }
}

interface Around {
  readonly pools: Pools;
  readonly key: Key;
  readonly present: readonly unknown[];
}

function randomValue(dice: Dice, { pools, key, present }: Around): string {
  const { attribute } = key;
  const filled = present.filter(
    (value): value is string | number | boolean => value !== null && typeof value !== 'object' && value !== undefined,
  );
  if (filled.length > 0 && dice.chance(0.6)) return spelled(dice, attribute, String(dice.one(filled)));
  switch (attribute?.type) {
    case undefined:
    case 'integer':
      return String(dice.below(40) - 1);
    case 'decimal':
      return String(dice.one(pools.decimals));
    case 'boolean':
      return dice.one(['true', 'false']);
    case 'date':
      return dice.one(pools.dates);
    case 'datetime':
      return dice.one([...pools.moments, ...pools.dates]);
    case 'text':
    case 'rich_text':
      if (attribute.format === 'email') return dice.one([...pools.addresses, ...pools.texts]);
      return dice.one(attribute.values && dice.chance(0.5) ? attribute.values : pools.texts);
  }
}

/** Returns the value in a random spelling. */
function spelled(dice: Dice, attribute: Attribute | undefined, text: string): string {
  if (attribute?.type === 'datetime') return dice.one([text, text.slice(0, 10), text.replace('Z', '+00:00')]);
  if (attribute?.format === 'email') return dice.one([text, text.toUpperCase(), text.toLowerCase()]);
  if (attribute?.type === 'decimal') return dice.one([text, text.includes('.') ? `${text}0` : `${text}.0`]);
  return text;
}

/** A random part of a text, unchanged or in upper or lower case. */
function randomPiece(dice: Dice, text: string): string {
  const characters = [...text];
  const start = dice.below(characters.length + 1);
  const piece = characters.slice(start, start + 1 + dice.below(4)).join('');
  return dice.one([piece, piece.toUpperCase(), piece.toLowerCase()]);
}
