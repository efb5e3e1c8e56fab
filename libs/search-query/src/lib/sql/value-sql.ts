import { type ValueType } from '@ats/datapath';
import { type Comparison, type Operand, type PositiveOperator, type MomentRange } from '../model/condition.js';
import { foldSql, ROOT_COLLATION } from './folding.js';
import { type SqlAttribute, type SqlSettings } from './sql-model.js';
import { inParentheses, type SqlCondition, type SqlScope } from './sql-scope.js';

/** One value of a row. */
export interface SqlValue {
  readonly sql: string;
  readonly type: ValueType;
  readonly sqlType?: 'uuid';
  /** Its text, folded already. */
  readonly folded?: string;
}

/** An attribute of the row called `alias`. */
export const readValue = (
  { sql, type, sqlType, foldedSql }: SqlAttribute,
  alias: string,
  settings: SqlSettings,
): SqlValue => ({
  sql: sql(alias, settings),
  type,
  ...(sqlType && { sqlType }),
  ...(foldedSql && { folded: foldedSql(alias) }),
});

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
const PARAMETER_TYPES = {
  integer: 'bigint',
  decimal: 'numeric',
  boolean: 'boolean',
  date: 'date',
  text: 'text',
} as const;

/** A positive comparison with one value; null exactly when the value is. Without values it is false. */
export function compareSql(value: SqlValue, { operator, operand }: Comparison, scope: SqlScope): string {
  if (operator === '=') return equalsSql(value, operand, scope);
  if (operator === '=~') return containsSql(value, operand.kind === 'text' ? (operand.values[0] ?? '') : '', scope);
  return orderSql(value, { operator, operand }, scope);
}

function equalsSql(value: SqlValue, operand: Operand, scope: SqlScope): string {
  const sql = inParentheses(value.sql);
  if (operand.kind === 'datetime') return inSpans(sql, operand.values, scope);
  if (value.sqlType === 'uuid') {
    const uuids = operand.values.filter((text) => UUID.test(String(text)));
    return `${sql} = ANY(${scope.parameter(uuids, 'uuid[]')})`;
  }
  const type = PARAMETER_TYPES[operand.kind];
  // What people search in is also sorted by: the index of that order knows the root collation alone.
  const compared = value.folded === undefined ? sql : `${sql} COLLATE ${ROOT_COLLATION}`;
  const [only] = operand.values;
  if (operand.values.length === 1) return `${compared} = ${scope.parameter(only, type)}`;
  return `${compared} = ANY(${scope.parameter(operand.values, `${type}[]`)})`;
}

/** The text of the statement does not depend on how many values a list has. */
function inSpans(sql: string, spans: readonly MomentRange[], scope: SqlScope): string {
  const [only] = spans;
  if (only && spans.length === 1) {
    return `${sql} >= ${moment(only.from, scope)} AND ${sql} < ${moment(only.to, scope)}`;
  }
  const from = scope.parameter(
    spans.map((span) => formatMoment(span.from)),
    'timestamptz[]',
  );
  const to = scope.parameter(
    spans.map((span) => formatMoment(span.to)),
    'timestamptz[]',
  );
  const alias = scope.alias();
  return `EXISTS (SELECT FROM unnest(${from}, ${to}) AS ${alias}(low, high) WHERE ${sql} >= ${alias}.low AND ${sql} < ${alias}.high)`;
}

/** The case-insensitive substring. Both sides are folded by PostgreSQL, so that they always agree; `%` and `_` mean themselves. */
export const containsSql = (value: SqlValue, text: string, scope: SqlScope): string =>
  isInFolded(value.folded ?? foldSql(canonicalText(value)), text, scope);

/** Whether a text that is folded already contains another one. */
export function isInFolded(folded: string, text: string, scope: SqlScope): string {
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`;
  return `${folded} LIKE ${foldSql(scope.parameter(pattern, 'text'))}`;
}

/** The value as text, the same as clients read it. */
export function canonicalText({ sql, type, sqlType }: SqlValue): string {
  const one = inParentheses(sql);
  switch (type) {
    case 'text':
    case 'rich_text':
      return sqlType ? `${one}::text` : one;
    case 'decimal':
      return `trim_scale(${one}::numeric)::text`;
    case 'datetime':
      return `to_char(${one} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
    case 'date':
      return `to_char(${one}, 'YYYY-MM-DD')`;
    case 'integer':
    case 'boolean':
      return `${one}::text`;
  }
}

interface Order {
  readonly operator: Exclude<PositiveOperator, '=' | '=~'>;
  readonly operand: Operand;
}

function orderSql(value: SqlValue, { operator, operand }: Order, scope: SqlScope): string {
  const sql = inParentheses(value.sql);
  switch (operand.kind) {
    case 'text':
      return `${canonicalText(value)} COLLATE ${ROOT_COLLATION} ${operator} ${scope.parameter(operand.values[0], 'text')}`;
    case 'datetime': {
      const bound = boundOf(operator, operand.values[0] ?? { from: NaN, to: NaN });
      return `${sql} ${bound.operator} ${moment(bound.at, scope)}`;
    }
    case 'integer':
    case 'decimal':
    case 'boolean':
    case 'date':
      return `${sql} ${operator} ${scope.parameter(operand.values[0], PARAMETER_TYPES[operand.kind])}`;
  }
}

/** An order against a span of moments as one against a moment: at most a day is before its end. */
export function boundOf(
  operator: Order['operator'],
  { from, to }: MomentRange,
): { readonly operator: '<' | '>='; readonly at: number } {
  switch (operator) {
    case '<':
      return { operator: '<', at: from };
    case '<=':
      return { operator: '<', at: to };
    case '>':
      return { operator: '>=', at: to };
    case '>=':
      return { operator: '>=', at: from };
  }
}

const moment = (ms: number, scope: SqlScope): string => scope.parameter(formatMoment(ms), 'timestamptz');

/** The end of the year 9999 is one that PostgreSQL writes without a sign. */
const formatMoment = (ms: number): string => new Date(ms).toISOString().replace(/^\+0/, '');

/** The condition that `column` holds one of the ids. */
export function isOneOf(column: string, ids: readonly string[], scope: SqlScope): SqlCondition {
  const [only] = ids;
  if (only === undefined) return { text: 'false', canBeNull: false };
  if (ids.length === 1) return { text: `${column} = ${scope.parameter(only, 'bigint')}`, canBeNull: true };
  return { text: `${column} = ANY(${scope.parameter(ids, 'bigint[]')})`, canBeNull: true };
}
