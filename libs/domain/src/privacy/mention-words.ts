import { getObjectType } from '../objects/object-model.js';
import { candidate } from '../objects/user.model.js';
import { tableOf } from '../reading/representation-sql.js';
import { type ObjectType } from '../vocabulary/object-type.js';
import { type MentionColumn, mentionPlaces } from './mention-places.js';

type TextColumn = Pick<MentionColumn, 'column' | 'isArray' | 'isJson'>;

/**
 * SQL for the words in the texts of a row: the columns that can mention or identify a person. An index of each large
 * table has this expression, so the columns are in alphabetical order. PostgreSQL cannot use the index for another
 * expression: a new column needs a new index.
 */
export const mentionWords = (table: string, alias: string): string =>
  `mention_words(${(textColumns().get(table) ?? []).map((column) => textSql(alias, column)).join(', ')})`;

/** SQL for the text of a column. */
export const textSql = (alias: string, { column, isArray, isJson }: TextColumn): string =>
  isArray ? `joined_texts(${alias}.${column})` : isJson ? `json_texts(${alias}.${column})` : `${alias}.${column}`;

interface PersonType {
  readonly type: ObjectType;
  /** The column with the id of the person. */
  readonly key: string;
}

/** Returns the types whose rows have names and addresses of persons. Recruiters share a table with candidates. */
export const personTypes = (): readonly PersonType[] => [
  { type: candidate, key: 'id' },
  ...Object.values(candidate.relations).flatMap(({ many, target, foreignKey }) =>
    many && foreignKey ? [{ type: getObjectType(target), key: foreignKey }] : [],
  ),
];

/** Returns the columns with texts of each table. */
function textColumns(): ReadonlyMap<string, readonly TextColumn[]> {
  if (columnsOfTables) return columnsOfTables;
  const found = [
    ...mentionPlaces().flatMap(({ table, columns }) => columns.map((column) => ({ table, column }))),
    ...personTypes().flatMap(({ type }) => identifyingColumns(type)),
  ];
  const tables = new Map<string, Map<string, TextColumn>>();
  for (const { table, column } of found) {
    const columns = tables.get(table) ?? new Map<string, TextColumn>();
    tables.set(table, columns.set(column.column, column));
  }
  const byName = (a: TextColumn, b: TextColumn): number => (a.column < b.column ? -1 : 1);
  columnsOfTables = new Map([...tables].map(([table, columns]) => [table, [...columns.values()].sort(byName)]));
  return columnsOfTables;
}
let columnsOfTables: ReadonlyMap<string, readonly TextColumn[]> | undefined;

const identifyingColumns = (type: ObjectType): readonly { readonly table: string; readonly column: TextColumn }[] =>
  Object.entries(type.attributes).flatMap(([name, { identifying, column }]) =>
    identifying && column
      ? [
          {
            table: tableOf(type),
            column: { column: column.name ?? name, isArray: column.isArray ?? false, isJson: false },
          },
        ]
      : [],
  );
