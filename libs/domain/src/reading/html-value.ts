import { canonicalText, quoteLiteral, type SqlAttribute } from '@ats/search-query';

/** `&` comes first: the others contain it. */
const ENTITIES: readonly (readonly [character: string, entity: string])[] = [
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
];

type Described = Pick<SqlAttribute, 'type' | 'many' | 'sqlType'>;

/**
 * A value as HTML that reads as its canonical text, also within the quotes of an attribute; line breaks stay as they are. Null where it is
 * missing. Below, the same in memory. Source: CONTRACT.md 9, `rich_txt_fmt=html` below 1.9.
 * @param sql  an array for `many`; of a rich text its HTML, which stays as it is
 */
export function htmlSql(sql: string, described: Described): string {
  if (described.many !== true) return oneAsHtml(sql, described);
  return `CASE WHEN ${sql} IS NOT NULL THEN ARRAY(SELECT ${oneAsHtml('l.one', described)} FROM unnest(${sql}) WITH ORDINALITY AS l(one, position) ORDER BY l.position) END`;
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

/** @param value  of an attribute that is no rich text; numbers are those that JavaScript writes in decimal: below 10^21, and no closer to 0 than 10^-6 */
export function htmlValue(value: Scalar | readonly Scalar[] | null): string | readonly string[] | null {
  if (value === null) return null;
  return typeof value === 'object' ? value.map(escaped) : escaped(value);
}

const escaped = (value: Scalar): string =>
  ENTITIES.reduce((text, [character, entity]) => text.replaceAll(character, entity), String(value));
