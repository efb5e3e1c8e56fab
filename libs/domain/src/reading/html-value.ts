import { canonicalText, quoteLiteral, type SqlAttribute } from '@ats/search-query';

/** `&` must be replaced first, because the other entities contain it. */
const ENTITIES: readonly (readonly [character: string, entity: string])[] = [
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
];

type Described = Pick<SqlAttribute, 'type' | 'many' | 'sqlType'>;

/**
 * SQL for the text of a value, escaped so that it is safe in HTML and in quoted attributes of HTML tags. Line breaks
 * are not changed. A missing value is null. {@link htmlValue} does the same in memory.
 * Source: docs/reference/versions.md (`rich_txt_fmt=html` below 1.9).
 * @param sql  SQL of the value: of an array if `many` is true, of HTML for a rich text. HTML is not escaped
 */
export function htmlSql(sql: string, described: Described): string {
  if (described.many !== true) return oneAsHtml(sql, described);
  const elements = `unnest(${sql}) WITH ORDINALITY AS l(one, position)`;
  const list = `ARRAY(SELECT ${oneAsHtml('l.one', described)} FROM ${elements} ORDER BY l.position)`;
  return `CASE WHEN ${sql} IS NOT NULL THEN ${list} END`;
}

function oneAsHtml(sql: string, described: Described): string {
  const text = canonicalText({ ...described, sql });
  if (described.type !== 'text') return text;
  return ENTITIES.reduce(
    (within, [character, entity]) => `replace(${within}, ${quoteLiteral(character)}, ${quoteLiteral(entity)})`,
    text,
  );
}

type Scalar = string | number | boolean;

/**
 * Escapes the text of a value for HTML.
 * @param value  any value except a rich text. A number must be 0, or its absolute value must be from 10^-6 to below
 *   10^21, because JavaScript writes other numbers with an exponent.
 */
export function htmlValue(value: Scalar | readonly Scalar[] | null): string | readonly string[] | null {
  if (value === null) return null;
  return typeof value === 'object' ? value.map(escaped) : escaped(value);
}

const escaped = (value: Scalar): string =>
  ENTITIES.reduce((text, [character, entity]) => text.replaceAll(character, entity), String(value));
