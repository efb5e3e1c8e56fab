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

/** Returns the names of the columns that store an attribute: none for a computed attribute, two for a rich text. */
export const storedColumns = (
  name: string,
  { column, htmlColumn }: { readonly column?: ColumnDescription; readonly htmlColumn?: string },
): readonly string[] => [...(column ? [column.name ?? name] : []), ...(htmlColumn === undefined ? [] : [htmlColumn])];
