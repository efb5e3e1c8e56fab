export interface ColumnDescription {
  /** Name of the column. Defaults to the attribute's name. */
  readonly name?: string;
  readonly type: ColumnType;
  readonly isArray?: boolean;
}

export type ColumnType =
  | 'bigint'
  | 'integer'
  | 'numeric'
  | 'text'
  | 'boolean'
  | 'date'
  | 'timestamptz'
  | 'uuid'
  | 'jsonb'
  | 'bytea';

/** Names of the columns that store an attribute. A computed attribute has none, a rich text has two. */
export const storedColumns = (
  name: string,
  { column, htmlColumn }: { readonly column?: ColumnDescription; readonly htmlColumn?: string },
): readonly string[] => [...(column ? [column.name ?? name] : []), ...(htmlColumn === undefined ? [] : [htmlColumn])];
