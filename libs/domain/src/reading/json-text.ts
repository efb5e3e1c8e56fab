import { MAX_ANSWER_BYTES } from '@ats/postgres';
import { type SqlAttribute } from '@ats/search-query';
import { htmlSql } from './html-value.js';
import { type Attribute } from '../vocabulary/attribute.js';

/**
 * This file makes SQL that builds JSON text by joining pieces of text. Only free texts have to be escaped, so a page of
 * a hundred items takes two thirds of the time that PostgreSQL's JSON functions need.
 */

/**
 * SQL for the JSON of a value. The value must be a text, or of a type that `concat` converts to the right text.
 * Datetimes are in UTC with milliseconds and `Z`, dates are `YYYY-MM-DD`.
 */
export function valueText(sql: string, attribute: SqlAttribute, canBeNull: boolean): string {
  const piece = pieceOf(sql, attribute as Attribute);
  return canBeNull ? `coalesce((${piece})::text, 'null')` : piece;
}

/** SQL for the JSON of a value as HTML. A value of any type becomes a JSON string. */
export const htmlText = (sql: string, attribute: SqlAttribute, canBeNull: boolean): string =>
  valueText(htmlSql(sql, attribute), { ...attribute, type: 'text' }, canBeNull);

function pieceOf(sql: string, { type, many, isPlain }: Attribute): string {
  if (many) return `CASE WHEN ${sql} = '{}' THEN '[]' ELSE to_json(${sql})::text END`;
  switch (type) {
    case 'datetime':
      return `to_char(${sql} AT TIME ZONE 'UTC', '"\\""YYYY-MM-DD"T"HH24:MI:SS.MS"Z\\""')`;
    case 'date':
      return `to_char(${sql}, '"\\""YYYY-MM-DD"\\""')`;
    case 'integer':
    case 'decimal':
      return `(${sql})`;
    case 'boolean':
      return `(${sql})::text`;
    case 'text':
    case 'rich_text':
      return isPlain ? `'"' || (${sql}) || '"'` : `to_json(${sql})`;
  }
}

/**
 * Maximum number of members in one call of `concat`. PostgreSQL allows 100 arguments for a function, and each member
 * needs two.
 */
const MAX_MEMBERS = 45;

/** SQL for the JSON of an object. @param members  names, each with SQL for the JSON of its value */
export function objectText(members: readonly (readonly [name: string, json: string])[]): string {
  const parts = members.map(([name, json], index) => `'${index === 0 ? '{' : ','}"${name}":', ${json}`);
  const groups = Array.from({ length: Math.ceil(parts.length / MAX_MEMBERS) }, (_, group) =>
    parts.slice(group * MAX_MEMBERS, (group + 1) * MAX_MEMBERS),
  );
  const texts = groups.map((group) => (groups.length === 1 ? group.join(', ') : `concat(${group.join(', ')})`));
  return `concat(${texts.join(', ')}, '}')`;
}

/**
 * SQL for the JSON of a list.
 * @param element  SQL for the JSON of one element; the list has one element for each row of the query
 */
export const listText = (element: string, order: string): string =>
  `'[' || coalesce(string_agg((${element})::text, ','${order}), '') || ']'`;

/**
 * Texts up to this size are not counted towards the size of the answer: even a thousand of them are smaller than the
 * maximum answer.
 */
const UNCOUNTED_BYTES = 16_384;

/**
 * SQL for a text that fails the statement when the text is larger than the maximum answer.
 * Source: docs/reference/limits.md, "Sizes".
 */
export const boundedText = (text: string, uncounted: number = MAX_ANSWER_BYTES): string =>
  `CASE WHEN octet_length(${text}) > ${uncounted}
    AND NOT count_answer_bytes(octet_length(${text}), ${MAX_ANSWER_BYTES}) THEN NULL ELSE ${text} END`;

/**
 * SQL that returns the given rows unchanged. The statement fails at the row with which the texts exceed the maximum
 * size of an answer, so that PostgreSQL neither reads nor keeps further rows.
 * @param rows  a SELECT of `text` and of the columns that `others` names
 */
export const boundedRows = (rows: string, others: readonly string[]): string =>
  // The first OFFSET 0 keeps PostgreSQL from computing a text twice. The second one makes it check the size before it
  // sorts the rows.
  `SELECT ${boundedText('w.text', UNCOUNTED_BYTES)} AS text, ${others.map((name) => `w.${name}`).join(', ')}
    FROM (${rows} OFFSET 0) w OFFSET 0`;

/** Maximum number of arguments of a function in PostgreSQL. */
const MAX_ARGUMENTS = 100;

/**
 * SQL that joins pieces of text. Unlike a chain of `||`, `concat` does not copy the text again for each piece.
 */
export function concatText(pieces: readonly string[]): string {
  if (pieces.length <= MAX_ARGUMENTS) return `concat(${pieces.join(', ')})`;
  const groups = Array.from({ length: Math.ceil(pieces.length / MAX_ARGUMENTS) }, (_, group) =>
    concatText(pieces.slice(group * MAX_ARGUMENTS, (group + 1) * MAX_ARGUMENTS)),
  );
  return concatText(groups);
}
