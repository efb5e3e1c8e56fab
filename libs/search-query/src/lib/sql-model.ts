import { type AttributeShape, type ObjectModel, type ObjectShape, type RelationShape } from '@ats/datapath';

/**
 * SQL texts that a reading may need beside its row, by name: the base of addresses, the language. They come from the
 * program and its configuration, quoted with `quoteLiteral`; never from a client.
 */
export type SqlSettings = Readonly<Record<string, string>>;

/** An attribute with its SQL reading. */
export interface SqlAttribute extends AttributeShape {
  /** The expression that reads it from the row called `alias`; an array for `many`. */
  readonly sql: (alias: string, settings: SqlSettings) => string;
}

/** A relation with the way it joins. */
export interface SqlRelation extends RelationShape {
  /** The condition between the two rows; absent when the target lives in the same row as its owner. */
  readonly join?: (from: string, to: string) => string;
  /** For a relation to many: what orders its elements, read from the target's row. */
  readonly orderBy?: (to: string) => string;
}

/** An object type with the table that holds it. */
export interface SqlObject extends ObjectShape {
  /** Absent for a type that always lives in its owner's row. */
  readonly table?: string;
  readonly attributes: Readonly<Record<string, SqlAttribute>>;
  readonly relations: Readonly<Record<string, SqlRelation>>;
}

/** An object model of `@ats/datapath` that can also be read from PostgreSQL. */
export interface SqlObjectModel extends ObjectModel {
  type(name: string): SqlObject | undefined;
}

/** A text as an SQL literal, for the program's own texts. Values of clients are always parameters. */
export const quoteLiteral = (text: string): string => `'${text.replaceAll("'", "''")}'`;
