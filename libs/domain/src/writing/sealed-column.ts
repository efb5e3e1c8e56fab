/** A column whose values a `SecretBox` has sealed. Each one is declared where its values are sealed and opened. */
export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  /** The purpose of the `SecretBox`. */
  readonly purpose: string;
  /** The columns of the primary key, with their SQL types. */
  readonly primaryKey: Readonly<Record<string, 'bigint' | 'text'>>;
  /** A further column that `contextOf` needs. */
  readonly owner?: string;
  /** Returns the context in which the row's value was sealed. The row has the primary key and the owner. */
  readonly contextOf: (row: Readonly<Record<string, string | number>>) => string;
}
