import { runStatement, type Transaction } from '@ats/postgres';
import { sqlSettings } from '../reading/representation-sql.js';
import { type MentionColumn, type MentionPlace } from './mention-places.js';
import { mentionWords, textSql } from './mention-words.js';
import { type PersonValues, type SqlValues } from './person-values.js';

/** A person whose mentions are searched for, and the settings for the URLs of the found texts. */
export interface MentionedPerson {
  readonly transaction: Transaction;
  readonly personId: number;
  /** `PUBLIC_BASE_URL` without a trailing slash. */
  readonly baseUrl: string;
}

/** A row of a `MentionPlace`. `c0`, `c1` and so on are the values of the place's `columns`, in this order. */
export interface MentionRow extends Readonly<Record<`c${number}`, unknown>> {
  readonly row_key: string;
  readonly item_id: number;
  readonly url: string;
  readonly pointer: string;
}

/** Returns the keys of the rows in which a text contains one of the values. */
export async function findRowKeys(
  { transaction, personId }: MentionedPerson,
  place: MentionPlace,
  { values, limit }: { readonly values: PersonValues; readonly limit: number | null },
): Promise<readonly string[]> {
  const { forms, words, strongWords } = values.sql;
  const sought = { forms: '$2::text[]', words: '$3::text[]', strongWords: '$4::text[]' };
  const rows = await runStatement<{ row_key: string }>(
    transaction,
    `SELECT ${keyOf(place)} AS row_key FROM ${rowsWith(place, sought)} LIMIT $5::integer`,
    [personId, forms, words, strongWords, limit],
  );
  return rows.map((row) => row.row_key);
}

/** A value whose texts are counted, up to a limit. */
export interface CountedValue {
  readonly values: PersonValues;
  readonly limit: number;
}

/**
 * Counts for each value the rows in which a text contains it.
 * @returns the counts in the order of the values
 */
export async function countRows(
  { transaction, personId }: MentionedPerson,
  place: MentionPlace,
  counted: readonly CountedValue[],
): Promise<readonly number[]> {
  const sought = { forms: 'sought.forms', words: 'sought.words', strongWords: 'sought."strongWords"' };
  const rows = await runStatement<{ count: number }>(
    transaction,
    `SELECT (SELECT count(*)::integer FROM (SELECT FROM ${rowsWith(place, sought)} LIMIT sought.most) texts) AS count
     FROM jsonb_to_recordset($2::jsonb)
       AS sought(position integer, most integer, forms text[], words text[], "strongWords" text[])
     ORDER BY sought.position`,
    [
      personId,
      JSON.stringify(counted.map(({ values, limit }, position) => ({ position, most: limit, ...values.sql }))),
    ],
  );
  return rows.map(({ count }) => count);
}

/** Reads rows with their texts. Rows that were deleted are absent. */
export function readRows(
  { transaction, personId, baseUrl }: MentionedPerson,
  place: MentionPlace,
  keys: readonly string[],
): Promise<readonly MentionRow[]> {
  const settings = sqlSettings({ baseUrl, language: 'en' });
  const url = place.url?.(settings.baseUrl ?? `''`) ?? place.resource.type.attributes['url']?.sql('item', settings);
  const columns = place.columns.map(({ column }, index) => `${place.row}.${column} AS c${index}`);
  return runStatement<MentionRow>(
    transaction,
    `SELECT ${keyOf(place)} AS row_key, ${place.itemId} AS item_id, ${url} AS url, ${place.pointer} AS pointer,
       ${columns.join(', ')}
     FROM ${place.from} JOIN unnest($2::text[]) AS wanted(key) ON ${hasKey(place, 'wanted.key')}
     WHERE ${[...place.where, '$1::bigint IS NOT NULL'].join(' AND ')}`,
    [personId, keys],
  );
}

/** Writes new values into one column of rows. */
export async function writeColumn(
  transaction: Transaction,
  { place, column }: { readonly place: MentionPlace; readonly column: MentionColumn },
  rows: readonly { readonly key: string; readonly value: unknown }[],
): Promise<void> {
  const type = column.isJson ? 'jsonb' : column.isArray ? 'text[]' : 'text';
  await runStatement(
    transaction,
    `UPDATE ${place.table} ${place.row} SET ${column.column} = written.value
     FROM jsonb_to_recordset($1::jsonb) AS written(key text, value ${type}) WHERE ${hasKey(place, 'written.key')}`,
    [JSON.stringify(rows)],
  );
}

/** SQL for a text that identifies the row in its table. */
const keyOf = ({ keyColumns, row }: MentionPlace): string =>
  `concat_ws('/', ${keyColumns.map((column) => `${row}.${column}`).join(', ')})`;

/** SQL condition that is true when the row has the key. PostgreSQL can use an index for it. */
const hasKey = ({ keyColumns, row }: MentionPlace, key: string): string =>
  keyColumns.map((column, index) => `${row}.${column} = split_part(${key}, '/', ${index + 1})::bigint`).join(' AND ');

/**
 * SQL for the `FROM` and `WHERE` of the rows that contain a value. `sought` has SQL for the values. The first condition
 * can use an index. It also finds a few other rows, such as one with the words of a value in two texts.
 */
function rowsWith(place: MentionPlace, sought: Readonly<Record<keyof SqlValues, string>>): string {
  // Not every place uses all parameters, so `isUsed` mentions each parameter to tell PostgreSQL its type.
  const isUsed = ['$1::bigint', sought.words, sought.strongWords].map((parameter) => `${parameter} IS NOT NULL`);
  const hasWords = `${mentionWords(place.table, place.row)} @@ mention_query(${sought.forms})`;
  return `${place.from} WHERE ${[...place.where, ...isUsed, hasWords, hasValues(place, sought)].join(' AND ')}`;
}

/** SQL condition that is true when a column of the row contains one of the values as whole words. */
function hasValues({ columns, row }: MentionPlace, { words, strongWords }: Readonly<Record<string, string>>): string {
  // The collation defines which characters are letters, whatever the settings of the database are.
  const conditions = columns.map(
    (column) =>
      `fold(${textSql(row, column)}) COLLATE "und-x-icu" ~ ANY(${column.content === 'fact' ? strongWords : words})`,
  );
  return `(${conditions.join(' OR ')})`;
}
