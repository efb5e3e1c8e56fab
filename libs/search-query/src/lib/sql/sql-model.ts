import { type CollectionKey, type RelationShape } from '@ats/datapath';
import { type SearchAttribute, type SearchModel, type SearchObject } from '../model/search-model.js';

/**
 * SQL expressions by name that attributes use besides the columns of their row, such as the base URL and the language.
 * They come from the program and its configuration, quoted with `quoteLiteral`. They never come from a client.
 */
export type SqlSettings = Readonly<Record<string, string>>;

/** An attribute with its SQL expression. */
export interface SqlAttribute extends SearchAttribute {
  /** Returns the expression that reads the attribute from the row `alias`. It is an array when `many` is true. */
  readonly sql: (alias: string, settings: SqlSettings) => string;
  /** The type in PostgreSQL, for attributes of type `text` that are stored as another type. */
  readonly sqlType?: 'uuid';
  /** Returns the expression of a stored copy of the attribute, folded by `foldSql`. Substring searches use it. */
  readonly foldedSql?: (alias: string) => string;
  /** True when every row has a value. */
  readonly isRequired?: boolean;
  /**
   * True when the expression reads rows besides the row of its owner, such as a count. A statement computes such a value
   * once for each row, however often it is used.
   */
  readonly readsOtherRows?: boolean;
  /**
   * Computes the attribute from the `id` of its owner alone. A foreign key to the owner is enough then, so the owner's
   * row is not joined.
   */
  readonly sqlOfId?: (id: string, settings: SqlSettings) => string;
}

/** A relation with its join. */
export interface SqlRelation extends RelationShape {
  /** Returns the join condition. Absent when the target is stored in the row of its owner. */
  readonly join?: (from: string, to: string) => string;
  /** For a to-many relation: returns the ORDER BY expression of its elements. */
  readonly orderBy?: (to: string) => string;
  /** Column of the owner with a foreign key to the target. The id of the target is read from it without a join. */
  readonly column?: string;
  /** For a to-one relation: column of the owner that equals the `id` of the target. */
  readonly keyColumn?: string;
  /** Returns a further condition on the row of the target, besides `keyColumn` or `ownerColumn`. */
  readonly where?: (to: string) => string;
  /** Column of the target with the `id` of the owner. */
  readonly ownerColumn?: string;
  /** True when every owner has a target, so that an inner join loses no rows. */
  readonly isRequired?: boolean;
}

/** A column with the texts of several attributes, folded by `foldSql` and joined by `SEARCH_TEXT_SEPARATOR`. */
export interface SearchTextColumn {
  /** The SQL of the column for an alias of the table. */
  readonly sql: (alias: string) => string;
  /** Names of the attributes in the text. */
  readonly attributes: readonly string[];
}

/** Separates the texts of a `SearchTextColumn`, so that no match spans two attributes. */
export const SEARCH_TEXT_SEPARATOR = '\u001f';

/** An object type with the table that holds it. */
export interface SqlObject extends SearchObject {
  /** Absent for a type that is stored in the row of its owner. */
  readonly table?: string;
  /** True for tables of at most some thousand rows. Conditions on them look up ids first, see `compileLookupsSql`. */
  readonly isSmall?: boolean;
  /** Text column that serves the `filter` parameter for several attributes at once. */
  readonly searchText?: SearchTextColumn;
  /** The columns of the attributes, by name. */
  readonly attributes: Readonly<Record<string, SqlAttribute>>;
  /** The joins of the relations, by name. */
  readonly relations: Readonly<Record<string, SqlRelation>>;
}

/** An object model with the SQL to read it from PostgreSQL. */
export interface SqlObjectModel extends SearchModel {
  /** Returns an object type by its name. */
  type(name: string): SqlObject | undefined;
  /** Returns the join to the items of a collection that have the key. */
  keyedRelation?(owner: string, key: CollectionKey): SqlRelation | undefined;
  /** The column of `idAttribute`, which `keyColumn` and `ownerColumn` of relations compare. Defaults to `id`. */
  readonly idColumn?: string;
}

/** Quotes a text of the program as an SQL literal. Values of clients are always parameters instead. */
export const quoteLiteral = (text: string): string => `'${text.replaceAll("'", "''")}'`;
