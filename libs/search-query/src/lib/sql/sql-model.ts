import {
  type CollectionKey,
  type DefinedModel,
  defineModel,
  type HostFunction,
  type RelationShape,
  type ValueType,
} from '@ats/datapath';
import { type SearchAttribute, type SearchModel, type SearchObject } from '../model/search-model.js';

/**
 * SQL expressions, by name, that attributes use in addition to the columns of their row, such as the base URL and the
 * language. They must come from the program and its configuration, quoted with `quoteLiteral`, and never from a client.
 */
export type SqlSettings = Readonly<Record<string, string>>;

/** An attribute, with the SQL that reads it. */
export interface SqlAttribute extends SearchAttribute {
  /** Returns the expression that reads the attribute from the row `alias`. It is an array when `many` is true. */
  readonly sql: (alias: string, settings: SqlSettings) => string;
  /** The type of the column in PostgreSQL, when it is a `uuid` and not a `text`. */
  readonly sqlType?: 'uuid';
  /**
   * True for a decimal whose values have at most 15 significant digits. For such values, a comparison as `numeric`
   * has the same result as a comparison of doubles. So an expression needs no conversion and can use an index.
   */
  readonly fitsDouble?: boolean;
  /**
   * Returns the expression of a stored copy of the attribute, folded as `foldSql` does. Substring searches use the
   * copy.
   */
  readonly foldedSql?: (alias: string) => string;
  /** True when the attribute has a value in every row. */
  readonly isRequired?: boolean;
  /**
   * True when the expression reads rows of other tables, for example to count them. A statement computes such a value
   * only once for each row.
   */
  readonly readsOtherRows?: boolean;
  /**
   * Computes the attribute from the `id` of its owner alone. The owner's row is then not joined when a foreign key has
   * the id.
   */
  readonly sqlOfId?: (id: string, settings: SqlSettings) => string;
}

/** A relation, with the SQL that joins its target. */
export interface SqlRelation extends RelationShape {
  /** Returns the condition of the join. Absent when the target is stored in the row of its owner. */
  readonly join?: (from: string, to: string) => string;
  /** For a to-many relation: returns the ORDER BY expression of its elements. */
  readonly orderBy?: (to: string) => string;
  /** The column of the owner with a foreign key to the target. The id of the target is read from it without a join. */
  readonly column?: string;
  /** For a to-one relation: the column of the owner that equals the `id` of the target. */
  readonly keyColumn?: string;
  /** Returns a further condition on the row of the target, in addition to `keyColumn` or `ownerColumn`. */
  readonly where?: (to: string) => string;
  /** The column of the target that has the `id` of the owner. */
  readonly ownerColumn?: string;
  /** True when every owner has a target, so that an inner join can be used. */
  readonly isRequired?: boolean;
}

/** A column with the texts of several attributes, folded as `foldSql` does and joined by `SEARCH_TEXT_SEPARATOR`. */
export interface SearchTextColumn {
  /** Returns the SQL of the column, for an alias of its table. */
  readonly sql: (alias: string) => string;
  /** Names of the attributes whose texts are in the column. */
  readonly attributes: readonly string[];
}

/** Separates the texts of a `SearchTextColumn`, so that no match spans two attributes. */
export const SEARCH_TEXT_SEPARATOR = '\u001f';

/** An object type, with the table that stores it. */
export interface SqlObject extends SearchObject {
  /** The table. Absent for a type that is stored in the row of its owner. */
  readonly table?: string;
  /** True for a table of at most some thousand rows. Conditions on it look up ids first, see `compileLookupsSql`. */
  readonly isSmall?: boolean;
  /** A text column that serves the `filter` parameter for several attributes at once. */
  readonly searchText?: SearchTextColumn;
  /** Maps the name of each attribute to its description. */
  readonly attributes: Readonly<Record<string, SqlAttribute>>;
  /** Maps the name of each relation to its description. */
  readonly relations: Readonly<Record<string, SqlRelation>>;
}

/** A function of the host, with its SQL. */
export interface SqlFunction extends HostFunction {
  /**
   * Returns the SQL of a call from the SQL of its arguments, whose types are `float8`, `text`, `boolean`, `date` or
   * `timestamptz`. It must give the same result as `call`, and null for a null argument.
   */
  readonly sql: (...values: string[]) => string;
}

/** An object model, with the SQL that reads it from PostgreSQL. */
export interface SqlObjectModel extends SearchModel {
  /** Returns an object type by its name. */
  type(name: string): SqlObject | undefined;
  /** The functions that expressions may call. Defaults to none. */
  readonly functions?: readonly SqlFunction[];
  /** Returns the relation to the row with the value of a key of a collection. */
  keyedRelation?(owner: string, key: CollectionKey): SqlRelation | undefined;
  /** The column of `idAttribute`. `keyColumn` and `ownerColumn` of relations are compared with it. Defaults to `id`. */
  readonly idColumn?: string;
}

/**
 * Makes an attribute that a column of the row stores.
 * @param name  the column, which comes from the program
 * @example
 * const total = sqlColumn('total', 'integer');
 */
export const sqlColumn = <const Type extends ValueType>(
  name: string,
  type: Type,
): { readonly type: Type; readonly sql: (row: string) => string } => ({ type, sql: (row) => `${row}.${name}` });

/** The description of one type of object in `defineSqlModel`. `Name` is the union of the names of all types. */
export interface SqlTypeDefinition<Name extends string = string> extends Omit<SqlObject, 'name' | 'relations'> {
  /** The joins of the relations, by name. Defaults to none. */
  readonly relations?: Readonly<Record<string, SqlRelation & { readonly target: Name }>>;
}

/**
 * Makes an object model with SQL from its object types, as `defineModel` of `@ats/datapath` does without SQL.
 * @param types  the object types by name
 * @param options  the other parts of the model, such as functions and limits. Defaults to none
 * @example
 * const model = defineSqlModel({ order: { table: 'orders', attributes: { total: sqlColumn('total', 'integer') } } });
 */
export function defineSqlModel<
  const Types extends { readonly [Name in keyof Types]: SqlTypeDefinition<keyof Types & string> },
>(types: Types, options: Omit<SqlObjectModel, 'type'> = {}): DefinedModel<Types> & SqlObjectModel {
  // The cast is correct: the given types have SQL, so the shapes that `defineModel` makes of them have SQL, too.
  return defineModel(types, options) as DefinedModel<Types> & SqlObjectModel;
}

/** Quotes a text of the program as an SQL literal. Values of clients must be parameters instead. */
export const quoteLiteral = (text: string): string => `'${text.replaceAll("'", "''")}'`;
