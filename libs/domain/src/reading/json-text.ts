import { type SqlAttribute } from '@ats/search-query';
import { htmlSql } from './html-value.js';
import { type Attribute } from '../vocabulary/attribute.js';

/**
 * JSON put together from pieces of text. For a page of a hundred items PostgreSQL takes two thirds of the time that its
 * functions for JSON take, since only texts that people wrote go through one.
 */

/** An SQL expression for the JSON of a value, as text or what reads as that in `concat`. CONTRACT.md, conventions: moments in UTC with milliseconds and `Z`, dates as `YYYY-MM-DD`. */
export function valueText(sql: string, attribute: SqlAttribute, canBeNull: boolean): string {
  const piece = pieceOf(sql, attribute as Attribute);
  return canBeNull ? `coalesce((${piece})::text, 'null')` : piece;
}

/** The same for the HTML that a person reads the value in: a text whatever the type of the value. */
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

/** PostgreSQL takes a hundred arguments. */
const MAX_MEMBERS = 45;

/** The JSON of an object, from names and expressions for the JSON of their values. */
export function objectText(members: readonly (readonly [name: string, json: string])[]): string {
  const parts = members.map(([name, json], index) => `'${index === 0 ? '{' : ','}"${name}":', ${json}`);
  const groups = Array.from({ length: Math.ceil(parts.length / MAX_MEMBERS) }, (_, group) =>
    parts.slice(group * MAX_MEMBERS, (group + 1) * MAX_MEMBERS),
  );
  return `concat(${groups.map((group) => (groups.length === 1 ? group.join(', ') : `concat(${group.join(', ')})`)).join(', ')}, '}')`;
}

/** The JSON of a list, from the JSON of its elements in many rows. */
export const listText = (element: string, order: string): string =>
  `'[' || coalesce(string_agg((${element})::text, ','${order}), '') || ']'`;
