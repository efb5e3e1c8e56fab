/** Describes a column whose values a `SecretBox` has sealed. The module that seals and opens the values declares it. */
export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  /** The purpose that the `SecretBox` was created with. */
  readonly purpose: string;
  /** The columns of the primary key, with their SQL types. */
  readonly primaryKey: Readonly<Record<string, 'bigint' | 'text'>>;
  /** A further column of the row, which `contextOf` needs. */
  readonly owner?: string;
  /**
   * Returns the context in which the value of a row was sealed. The argument has the columns of the primary key and
   * `owner`.
   */
  readonly contextOf: (row: Readonly<Record<string, string | number>>) => string;
}
