import { type SearchTextColumn, type SqlObject } from '@ats/search-query';
import { isFilterable, type Attribute, type NamedAttribute } from './attribute.js';
import { type ColumnDescription } from './column.js';
import { FORM_DATA } from './form-data.js';
import { type NamedRelation, type Relation } from './relation.js';
import { type SettingsProperty } from './settings-property.js';

export type Property = Attribute | Relation;

/**
 * The description of one kind of object: its properties, how SQL and TypeScript read them, and which of them clients
 * see and write.
 */
export interface ObjectType extends SqlObject {
  /** Attributes and relations in the order of the representation. */
  readonly properties: Readonly<Record<string, Property>>;
  readonly attributes: Readonly<Record<string, Attribute>>;
  readonly relations: Readonly<Record<string, Relation>>;
  /** Last properties of the representation, which come from settings and not from a row. */
  readonly fromSettings: Readonly<Record<string, SettingsProperty>>;
  /** True when objects of the type have form values. */
  readonly hasFormData: boolean;
  /** Column values shared by all objects of this type, for a table of several types. */
  readonly fixed: Readonly<Record<string, string>>;
  /** The datapath of the object's name, relative to the object. Absent when it has no name. */
  readonly label?: string;
  /** JSON pointer of the conflicting property, by the name of the unique constraint or index. */
  readonly uniques: Readonly<Record<string, string>>;
  /** Columns that no datapath reaches. */
  readonly privateColumns: Readonly<Record<string, ColumnDescription>>;
  /**
   * Resources whose read scope a datapath through this type needs.
   * Source: docs/reference/datapaths.md.
   */
  readonly scopes: readonly string[];
  /**
   * Meanings of the error codes beyond `missing`, `invalid` and `already_exists`, by code.
   * Source: docs/reference/errors.md.
   */
  readonly errorCodes: Readonly<Record<string, string>>;
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
  /** Defaults to no scopes. Only a type that is a part of its owner needs none. */
  readonly scopes?: readonly string[];
  readonly errorCodes?: Readonly<Record<string, string>>;
  /** True for a table of at most thousands of rows. A statement evaluates conditions on such a table first. */
  readonly isSmall?: boolean;
  /** The generated column with the folded texts of all stored attributes that the `filter` parameter searches. */
  readonly searchText?: string;
  /** True when objects of the type have form values: `formdata.<item>` may follow in a datapath. */
  readonly hasFormData?: boolean;
}

const registered = new Map<string, ObjectType>();

/** Object types that were described so far, by name. The object model loads all of them. */
export const registeredTypes: ReadonlyMap<string, ObjectType> = registered;

/**
 * Describes an object type and adds it to the object model. Everything else (SQL, JSON, schemas, checks, entities) is
 * derived from the returned description.
 * @throws {Error} when another type has the name
 */
export function objectType(options: ObjectTypeOptions): ObjectType {
  if (registered.has(options.name)) throw new Error(`two object types are called ${options.name}`);
  const type = partType(options);
  registered.set(type.name, type);
  return type;
}

/** Describes values that are read through their owner only, so that the object model does not list them. */
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
 * Describes the column with the search text. A type without a shown id is only a part of its owner, and its search text
 * has all texts. The search text of any other type has the shown texts.
 */
function searchTextOf(column: string, attributes: Readonly<Record<string, Attribute>>): SearchTextColumn {
  const isPart = attributes['id']?.shown !== true;
  const held = Object.entries(attributes).filter(
    ([name, attribute]) => attribute.column && (isPart || attribute.shown) && isFilterable(name, attribute),
  );
  return { sql: (alias) => `${alias}.${column}`, attributes: held.map(([name]) => name) };
}
