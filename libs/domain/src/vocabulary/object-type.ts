import { type SearchTextColumn, type SqlObject } from '@ats/search-query';
import { isFilterable, type Attribute, type NamedAttribute } from './attribute.js';
import { type ColumnDescription } from './column.js';
import { FORM_DATA } from './form-data.js';
import { type NamedRelation, type Relation } from './relation.js';
import { type SettingsProperty } from './settings-property.js';
import { type ErrorCodes } from './validation-error.js';

export type Property = Attribute | Relation;

/**
 * The description of one kind of object. It says which properties the object has, how SQL and TypeScript read them, and
 * which of them clients see and write.
 */
export interface ObjectType extends SqlObject {
  /** Attributes and relations in the order of the representation. */
  readonly properties: Readonly<Record<string, Property>>;
  readonly attributes: Readonly<Record<string, Attribute>>;
  readonly relations: Readonly<Record<string, Relation>>;
  /** The properties at the end of the representation that come from settings and not from a row. */
  readonly fromSettings: Readonly<Record<string, SettingsProperty>>;
  /** True when objects of the type have form values. */
  readonly hasFormData: boolean;
  /**
   * Maps names of columns to the value that they have for all objects of this type. Needed when several types share a
   * table.
   */
  readonly fixed: Readonly<Record<string, string>>;
  /** The datapath of the object's name, beginning at the object. Absent when objects of the type have no name. */
  readonly label?: string;
  /** Maps the name of each unique constraint or index to the JSON pointer of the conflicting property. */
  readonly uniques: Readonly<Record<string, string>>;
  /** Columns that no datapath reaches. */
  readonly privateColumns: Readonly<Record<string, ColumnDescription>>;
  /** Resources whose read scopes are needed by a datapath through this type. Source: docs/reference/datapaths.md. */
  readonly scopes: readonly string[];
  /**
   * The meaning of each error code that the type adds to `missing`, `invalid` and `already_exists`.
   * Source: docs/reference/errors.md.
   */
  readonly errorCodes: ErrorCodes;
}

export interface ObjectTypeOptions {
  readonly name: string;
  readonly table?: string;
  readonly properties: Readonly<Record<string, NamedAttribute | NamedRelation>>;
  readonly fromSettings?: Readonly<Record<string, SettingsProperty>>;
  readonly fixed?: Readonly<Record<string, string>>;
  /** The datapath of the object's name. Defaults to the property `name`, `title` or `label`, in this order. */
  readonly label?: string;
  readonly uniques?: Readonly<Record<string, string>>;
  readonly privateColumns?: Readonly<Record<string, ColumnDescription>>;
  /**
   * The resources whose read scopes a datapath through this type needs. Defaults to none, which is right only for a
   * type that is a part of its owner.
   */
  readonly scopes?: readonly string[];
  readonly errorCodes?: ErrorCodes;
  /** True for a table of at most some thousand rows. Statements evaluate conditions on such a table first. */
  readonly isSmall?: boolean;
  /** The generated column with the folded texts of all stored attributes that the `filter` parameter searches. */
  readonly searchText?: string;
  /** True when objects of the type have form values: `formdata.<item>` may follow in a datapath. */
  readonly hasFormData?: boolean;
}

const registered = new Map<string, ObjectType>();

/** Maps the names of all described object types to the types. Loading the object model describes all object types. */
export const registeredTypes: ReadonlyMap<string, ObjectType> = registered;

/**
 * Describes an object type and adds it to the object model. Everything else (SQL, JSON, schemas, checks, entities) is
 * derived from the returned description.
 * @throws {Error} when another type has the name
 */
export function objectType(options: ObjectTypeOptions): ObjectType {
  if (registered.has(options.name)) throw new Error(`the object type ${options.name} is described twice`);
  const type = partType(options);
  registered.set(type.name, type);
  return type;
}

/** Describes a type whose values are read only through their owner. The object model does not list such a type. */
export function partType(options: ObjectTypeOptions): ObjectType {
  const properties = Object.fromEntries(Object.entries(options.properties).map(([name, make]) => [name, make(name)]));
  const ofKind = <Kind extends Property>(kind: Kind['kind']): Record<string, Kind> =>
    Object.fromEntries(Object.entries(properties).filter((entry): entry is [string, Kind] => entry[1].kind === kind));
  const label = options.label ?? ['name', 'title', 'label'].find((name) => name in properties);
  return {
    name: options.name,
    ...(options.table && { table: options.table }),
    properties,
    attributes: ofKind<Attribute>('attribute'),
    relations: ofKind<Relation>('relation'),
    fromSettings: options.fromSettings ?? {},
    fixed: options.fixed ?? {},
    ...(label !== undefined && { label }),
    uniques: options.uniques ?? {},
    privateColumns: options.privateColumns ?? {},
    scopes: options.scopes ?? [],
    errorCodes: options.errorCodes ?? {},
    isSmall: options.isSmall ?? false,
    ...(options.searchText && { searchText: searchTextOf(options.searchText, ofKind<Attribute>('attribute')) }),
    hasFormData: options.hasFormData ?? false,
    ...(options.hasFormData === true && { collections: [FORM_DATA] }),
  };
}

/**
 * Describes the generated search text column of a type. The column contains the texts that the representation shows. A
 * type without a shown id is only a part of its owner, and its column contains all texts.
 */
function searchTextOf(column: string, attributes: Readonly<Record<string, Attribute>>): SearchTextColumn {
  const isPart = attributes['id']?.shown !== true;
  const held = Object.entries(attributes).filter(
    ([name, attribute]) => attribute.column && (isPart || attribute.shown) && isFilterable(name, attribute),
  );
  return { sql: (alias) => `${alias}.${column}`, attributes: held.map(([name]) => name) };
}
