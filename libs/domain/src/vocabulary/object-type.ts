import { type SearchTextColumn, type SqlObject } from '@ats/search-query';
import { isFilterable, type Attribute, type ColumnDescription, type NamedAttribute } from './attribute.js';
import { type NamedRelation, type Relation } from './relation.js';
import { type SettingsProperty } from './settings-property.js';

export type Property = Attribute | Relation;

/** One kind of object: what it has, how each part is read, and what of it clients see and write. */
export interface ObjectType extends SqlObject {
  /** Attributes and relations in the order of the representation. */
  readonly properties: Readonly<Record<string, Property>>;
  readonly attributes: Readonly<Record<string, Attribute>>;
  readonly relations: Readonly<Record<string, Relation>>;
  /** What the representation ends with and no row holds. */
  readonly fromSettings: Readonly<Record<string, SettingsProperty>>;
  /** Columns with one value for all objects of this type, where a table holds several types. */
  readonly fixed: Readonly<Record<string, string>>;
  /** The datapath, from such an object, of what people call it by; absent where it has no name. */
  readonly label?: string;
  /** Unique constraints and indexes, each with the JSON pointer of the property that clashes. */
  readonly uniques: Readonly<Record<string, string>>;
  /** Columns that no datapath reaches. */
  readonly privateColumns: Readonly<Record<string, ColumnDescription>>;
  /** Resources whose read scope a datapath needs when it goes through an object of this type. CONTRACT.md 2. */
  readonly scopes: readonly string[];
  /** Codes of validation faults beyond `missing`, `invalid` and `already_exists`, each with what it means. SPEC.md 7. */
  readonly errorCodes: Readonly<Record<string, string>>;
}

export interface ObjectTypeOptions {
  readonly name: string;
  readonly table?: string;
  readonly properties: Readonly<Record<string, NamedAttribute | NamedRelation>>;
  readonly fromSettings?: Readonly<Record<string, SettingsProperty>>;
  readonly fixed?: Readonly<Record<string, string>>;
  /** The datapath, from such an object, of what people call it by; its `name`, `title` or `label` unless told. */
  readonly label?: string;
  readonly uniques?: Readonly<Record<string, string>>;
  readonly privateColumns?: Readonly<Record<string, ColumnDescription>>;
  /** None for a type that only ever is a part of its owner. */
  readonly scopes?: readonly string[];
  readonly errorCodes?: Readonly<Record<string, string>>;
  /** Thousands of rows at most: a condition on such an object finds its rows first. */
  readonly isSmall?: boolean;
  /** The generated column with the folded texts of all stored attributes that the `filter` parameter looks into. */
  readonly searchText?: string;
  /** Has values of forms: `formdata.<item>` may follow. */
  readonly hasFormData?: boolean;
}

const registered = new Map<string, ObjectType>();

/** Object types that were described so far, by name. The object model loads all of them. */
export const registeredTypes: ReadonlyMap<string, ObjectType> = registered;

/**
 * Describes an object type and adds it to the object model. Everything else (SQL, JSON, schemas, checks, entities) is
 * derived from what this returns.
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
  };
}

/** Rows that are a part of their owner have no id that is shown: all of their attributes are. */
function searchTextOf(column: string, attributes: Readonly<Record<string, Attribute>>): SearchTextColumn {
  const isPart = attributes['id']?.shown !== true;
  const held = Object.entries(attributes).filter(
    ([name, attribute]) => attribute.column && (isPart || attribute.shown) && isFilterable(name, attribute),
  );
  return { sql: (alias) => `${alias}.${column}`, attributes: held.map(([name]) => name) };
}
