import { type SqlRelation, type SqlSettings } from '@ats/search-query';
import { localisedSql } from '../vocabulary/localised-text.js';
import {
  boolean,
  date,
  datetime,
  decimal,
  id,
  idList,
  integer,
  type NamedAttribute,
  richText,
  text,
  textList,
} from '../vocabulary/attribute.js';
import { type ObjectData } from '../vocabulary/attribute-options.js';
import { type FormDataIndex } from '../vocabulary/form-data.js';
import { type ObjectType, partType } from '../vocabulary/object-type.js';
import { ITEM_TYPES, type ItemType } from './form.model.js';

/** The attribute that stores the values of each type of form item. */
const VALUES: Readonly<Record<ItemType, NamedAttribute>> = {
  text: text({ column: 'text_value', nullable: true, personal: true }),
  textarea: text({ column: 'long_value', nullable: true, personal: true }),
  rich_text: richText({ column: 'rich_value', nullable: true, personal: true }),
  integer: integer({ column: 'number_value', nullable: true, personal: true }),
  decimal: decimal({ column: 'number_value', nullable: true, personal: true }),
  boolean: boolean({ column: 'boolean_value', nullable: true, personal: true }),
  date: date({ column: 'date_value', nullable: true, personal: true }),
  datetime: datetime({ column: 'datetime_value', nullable: true, personal: true }),
  single_select: text({ column: 'text_value', nullable: true, personal: true }),
  multi_select: textList({ column: 'option_values', personal: true }),
  email: text({ column: 'text_value', nullable: true, personal: true, format: 'email' }),
  phone: text({ column: 'text_value', nullable: true, personal: true }),
};

const read =
  (name: string) =>
  (object: ObjectData): unknown =>
    object[name] ?? null;
const labelOf = (settings: SqlSettings): string => localisedSql('o.label', settings);

/**
 * The attributes that layouts show for a select item: the labels of the chosen options, and their ids.
 * Source: docs/reference/layouts.md.
 */
const CHOICES: Partial<Readonly<Record<ItemType, Readonly<Record<'label' | 'option', NamedAttribute>>>>> = {
  single_select: {
    label: text({
      computed: {
        sql: (alias, settings) =>
          `(SELECT ${labelOf(settings)} FROM form_options o WHERE o.id = ${alias}.option_ids[1])`,
        memory: read('label'),
      },
    }),
    option: id({ computed: { sql: (alias) => `${alias}.option_ids[1]`, memory: read('option') } }),
  },
  multi_select: {
    label: textList({
      computed: {
        sql: (alias, settings) =>
          `ARRAY(SELECT ${labelOf(settings)} FROM unnest(${alias}.option_ids) WITH ORDINALITY AS c(id, position)
            JOIN form_options o ON o.id = c.id ORDER BY c.position)`,
        memory: read('label'),
      },
    }),
    option: idList({ computed: { sql: (alias) => `${alias}.option_ids`, memory: read('option') } }),
  },
};

/** Returns the name of the column that stores the values of items of this type. */
export const valueColumn = (type: ItemType): string => VALUES[type]('value').column?.name ?? '';

/** The object types that have form values, each with the table that stores these values. */
const TABLES = {
  application: 'application_form_values',
  vacancy: 'opportunity_form_values',
  event: 'opportunity_form_values',
  opportunity: 'opportunity_form_values',
} as const;

export type FormOwner = keyof typeof TABLES;

export const formValuesTable = (owner: FormOwner): string => TABLES[owner];

const nameOf = (table: string, type: ItemType): string => `${table}.${type}`;

/** The object types of form values: one for each combination of a table of form values and a type of form item. */
export const formValueTypes: readonly ObjectType[] = [...new Set(Object.values(TABLES))].flatMap((table) =>
  ITEM_TYPES.map((type) =>
    partType({ name: nameOf(table, type), table, properties: { value: VALUES[type], ...CHOICES[type] } }),
  ),
);

const byName = new Map(formValueTypes.map((type) => [type.name, type]));

/**
 * Returns the object type of form values, for an owner and a type of form item.
 * @throws {Error} for an object type without form values
 */
export function formValueType(owner: string, type: ItemType): ObjectType {
  const table = Object.hasOwn(TABLES, owner) ? TABLES[owner as FormOwner] : '';
  const found = byName.get(nameOf(table, type));
  if (!found) throw new Error(`the object type ${owner} has no form values`);
  return found;
}

/**
 * Returns the relation from an owner to one of its form values. The function does not check that the form item exists
 * or that it has the type `type`. So use it only for datapaths that have been resolved.
 * @returns undefined when the type has no form values or the name is no item id
 */
export function formValueRelation(owner: string, { item, section, form }: FormDataIndex): SqlRelation | undefined {
  if (!Object.hasOwn(TABLES, owner) || !/^\d{1,15}$/.test(item)) return undefined;
  const where = (to: string): string =>
    `${to}.item_id = ${item} AND ${to}.section_instance = ${section} AND ${to}.form_instance = ${form}`;
  return {
    target: nameOf(TABLES[owner as FormOwner], 'text'),
    ownerColumn: 'owner_id',
    where,
    join: (from, to) => `${to}.owner_id = ${from}.id AND ${where(to)}`,
  };
}

/**
 * True when objects of the type `owner` can have values of a form whose conditions begin with `root`. The type
 * `opportunity` includes vacancies and events, so the forms of both fit it.
 */
export const isOwnedBy = (owner: string, root: FormOwner): boolean =>
  owner === root || (owner === 'opportunity' && root !== 'application');
