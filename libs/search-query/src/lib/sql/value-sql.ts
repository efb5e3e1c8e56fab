import { type ValueType } from '@ats/datapath';
import { type Comparison, type Operand, type PositiveOperator, type MomentRange } from '../model/condition.js';
import { comparesEmails } from '../model/search-model.js';
import { foldEmail, foldEmailSql, foldSql, ROOT_COLLATION } from './folding.js';
import { type SqlAttribute, type SqlSettings } from './sql-model.js';
import { inParentheses, type SqlCondition, type SqlScope } from './sql-scope.js';

/** The SQL expression of one value, with its type. */
export interface SqlValue {
  /** The SQL that reads the value. */
  readonly sql: string;
  /** The type of the value. */
  readonly type: ValueType;
  /** The type of the column, when texts must be cast to it for a comparison. */
  readonly sqlType?: 'uuid';
  /** The expression of a stored copy of the text that is already folded. */
  readonly folded?: string;
  /** True for an e-mail address: `=` then ignores the case of ASCII letters. */
  readonly isEmail?: boolean;
}

/** Returns the SQL expression of an attribute in the row `alias`. */
export const readValue = (attribute: SqlAttribute, alias: string, settings: SqlSettings): SqlValue => ({
  sql: attribute.sql(alias, settings),
  type: attribute.type,
  ...(attribute.sqlType && { sqlType: attribute.sqlType }),
  ...(attribute.foldedSql && { folded: attribute.foldedSql(alias) }),
  ...(comparesEmails(attribute) && { isEmail: true }),
});

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
const PARAMETER_TYPES = {
  integer: 'bigint',
  decimal: 'numeric',
  boolean: 'boolean',
  date: 'date',
  text: 'text',
} as const;

/**
 * Compiles the comparison of a value. Its negation is ignored. The result is null or false when the value is null. It
 * is false when the comparison has no values.
 */
export function compareSql(value: SqlValue, { operator, operand }: Comparison, scope: SqlScope): string {
  if (operator === '=') return equalsSql(value, operand, scope);
  if (operator === '=~') return containsSql(value, operand.kind === 'text' ? (operand.values[0] ?? '') : '', scope);
  return orderSql(value, { operator, operand }, scope);
}

function equalsSql(value: SqlValue, operand: Operand, scope: SqlScope): string {
  const sql = inParentheses(value.sql);
  if (operand.kind === 'datetime') return inRanges(sql, operand.values, scope);
  if (value.sqlType === 'uuid') {
    const uuids = operand.values.filter((text) => UUID.test(String(text)));
    return `${sql} = ANY(${scope.parameter(uuids, 'uuid[]')})`;
  }
  if (value.isEmail && operand.kind === 'text') return isAnyOf(foldEmailSql(sql), operand.values.map(foldEmail), scope);
  // Searchable texts can have an index in the root collation, for sorting. A comparison in this collation can use the
  // index.
  const compared = value.folded === undefined ? sql : `${sql} COLLATE ${ROOT_COLLATION}`;
  const type = PARAMETER_TYPES[operand.kind];
  return isAnyOf(compared, operand.values, scope, type);
}

function isAnyOf(sql: string, values: Operand['values'], scope: SqlScope, type: string = PARAMETER_TYPES.text): string {
  const [only] = values;
  if (values.length === 1) return `${sql} = ${scope.parameter(only, type)}`;
  return `${sql} = ANY(${scope.parameter(values, `${type}[]`)})`;
}

/**
 * Compares a value with ranges of time. The SQL text is the same for every list of two or more ranges, so that
 * PostgreSQL can reuse prepared statements.
 */
function inRanges(sql: string, ranges: readonly MomentRange[], scope: SqlScope): string {
  const [only] = ranges;
  if (only && ranges.length === 1) {
    return `${sql} >= ${moment(only.from, scope)} AND ${sql} < ${moment(only.to, scope)}`;
  }
  const from = scope.parameter(
    ranges.map((range) => formatMoment(range.from)),
    'timestamptz[]',
  );
  const to = scope.parameter(
    ranges.map((range) => formatMoment(range.to)),
    'timestamptz[]',
  );
  const alias = scope.alias();
  const isInside = `${sql} >= ${alias}.low AND ${sql} < ${alias}.high`;
  return `EXISTS (SELECT FROM unnest(${from}, ${to}) AS ${alias}(low, high) WHERE ${isInside})`;
}

/**
 * Compiles a substring search that ignores case. PostgreSQL folds the searched text, and the value unless a folded copy
 * is stored. `%` and `_` are normal characters.
 */
export const containsSql = (value: SqlValue, text: string, scope: SqlScope): string =>
  isInFolded(value.folded ?? foldSql(canonicalText(value)), text, scope);

/** Compiles a substring search in an expression whose text is already folded. PostgreSQL folds the searched text. */
export function isInFolded(folded: string, text: string, scope: SqlScope): string {
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`;
  return `${folded} LIKE ${foldSql(scope.parameter(pattern, 'text'))}`;
}

/** Returns the SQL expression of the text form of a value, as the API shows it. */
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
    case 'text': {
      const text = `${canonicalText(value)} COLLATE ${ROOT_COLLATION}`;
      return `${text} ${operator} ${scope.parameter(operand.values[0], 'text')}`;
    }
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

/**
 * Converts a comparison with a range to a comparison with a moment. For example, `<=` a day becomes `<` the end of the
 * day.
 */
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

/**
 * Formats a moment. The last range ends in the year 10000, before which JavaScript writes a plus sign; the sign is
 * removed.
 */
const formatMoment = (ms: number): string => new Date(ms).toISOString().replace(/^\+0/, '');

/** Makes the condition that `column` has one of the ids. */
export function isOneOf(column: string, ids: readonly string[], scope: SqlScope): SqlCondition {
  const [only] = ids;
  if (only === undefined) return { text: 'false', canBeNull: false };
  if (ids.length === 1) return { text: `${column} = ${scope.parameter(only, 'bigint')}`, canBeNull: true };
  return { text: `${column} = ANY(${scope.parameter(ids, 'bigint[]')})`, canBeNull: true };
}
