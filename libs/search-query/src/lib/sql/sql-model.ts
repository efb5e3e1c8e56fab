import { type FormDataIndex, type RelationShape } from '@ats/datapath';
import { type SearchAttribute, type SearchModel, type SearchObject } from '../model/search-model.js';

/**
 * SQL texts that a reading may need beside its row, by name: the base of addresses, the language. They come from the
 * program and its configuration, quoted with `quoteLiteral`; never from a client.
 */
export type SqlSettings = Readonly<Record<string, string>>;

/** An attribute with its SQL reading. */
export interface SqlAttribute extends SearchAttribute {
  /** The expression that reads it from the row called `alias`; an array for `many`. */
  readonly sql: (alias: string, settings: SqlSettings) => string;
  /** Set for an attribute of type `text` that PostgreSQL keeps as something else. */
  readonly sqlType?: 'uuid';
  /** The expression for its text folded by `foldSql`, where that is stored: substrings are then looked for there. */
  readonly foldedSql?: (alias: string) => string;
  /** No row is without a value. */
  readonly isRequired?: boolean;
  /** For one that follows from its owner's `id` alone: a key then leads to it without the owner's row. */
  readonly sqlOfId?: (id: string, settings: SqlSettings) => string;
}

/** A relation with the way it joins. */
export interface SqlRelation extends RelationShape {
  /** The condition between the two rows; absent when the target lives in the same row as its owner. */
  readonly join?: (from: string, to: string) => string;
  /** For a relation to many: what orders its elements, read from the target's row. */
  readonly orderBy?: (to: string) => string;
  /** The column of the owner's row with the target's `id`, under a foreign key: an id is then read without a join. */
  readonly column?: string;
  /** For a relation to one that joins by key: the column of the owner's row that must equal the target's `id`. */
  readonly keyColumn?: string;
  /** What else the target's row must be, beside having that `id`, or naming its owner. */
  readonly where?: (to: string) => string;
  /** For a relation to many, or to one of many: the column of the target's row with the owner's `id`. */
  readonly ownerColumn?: string;
  /** Every owner has one: a join loses no row. */
  readonly isRequired?: boolean;
}

/** A stored text that holds several attributes, each folded by `foldSql`, with `SEARCH_TEXT_SEPARATOR` between them. */
export interface SearchTextColumn {
  readonly sql: (alias: string) => string;
  /** Names of the attributes whose texts it holds. */
  readonly attributes: readonly string[];
}

/** Stands between the texts of a `SearchTextColumn`: what is looked for across it is not found there. */
export const SEARCH_TEXT_SEPARATOR = '\u001f';

/** An object type with the table that holds it. */
export interface SqlObject extends SearchObject {
  /** Absent for a type that always lives in its owner's row. */
  readonly table?: string;
  /** Thousands of rows at most: a condition on such an object finds its rows first and compares the owner's key with their ids. */
  readonly isSmall?: boolean;
  /** Answers the `filter` parameter for most of the attributes at once. */
  readonly searchText?: SearchTextColumn;
  readonly attributes: Readonly<Record<string, SqlAttribute>>;
  readonly relations: Readonly<Record<string, SqlRelation>>;
}

/** An object model that can also be read from PostgreSQL. */
export interface SqlObjectModel extends SearchModel {
  type(name: string): SqlObject | undefined;
  formRelation?(owner: string, index: FormDataIndex): SqlRelation | undefined;
}

/** A text as an SQL literal, for the program's own texts. Values of clients are always parameters. */
export const quoteLiteral = (text: string): string => `'${text.replaceAll("'", "''")}'`;
