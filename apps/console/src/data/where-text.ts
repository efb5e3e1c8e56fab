import { type Condition, type Operator } from './search-text.js';

/** How several conditions are combined in an expression. */
export type Combination = 'AND' | 'OR';

/** Returns the type of a datapath's values, as `GET /datapaths` names it. */
export type TypeOf = (path: string) => string | undefined;

/**
 * Writes conditions on datapaths as an expression for the parameter `where`. In contrast to `search`, it can combine
 * conditions with OR.
 * Source: docs/reference/expressions.md.
 */
export function formatWhere(conditions: readonly Condition[], combination: Combination, typeOf: TypeOf): string {
  return conditions.map((condition) => formatRelation(condition, typeOf(condition.key))).join(` ${combination} `);
}

const LISTS: Partial<Record<Operator, string>> = { '=': 'IN', '!=': 'NOT IN' };

function formatRelation({ key, operator, values }: Condition, type: string | undefined): string {
  const literals = values.map((value) => literal(value, type));
  const list = LISTS[operator];
  if (literals.length > 1 && list !== undefined) return `${key} ${list} {${literals.join(', ')}}`;
  return `${key} ${operator === '=' ? '==' : operator} ${literals[0] ?? 'NULL'}`;
}

const NUMERIC: readonly (string | undefined)[] = ['integer', 'decimal', 'reference'];

/** Writes a value for an expression. An empty value stands for a missing value, as in `search`. */
function literal(value: string, type: string | undefined): string {
  if (value === '') return 'NULL';
  if (NUMERIC.includes(type) && /^-?\d+(\.\d+)?$/.test(value)) return value;
  if (type === 'boolean' && /^(true|false)$/.test(value)) return value.toUpperCase();
  if ((type === 'date' || type === 'datetime') && value.startsWith('DATE(')) return value;
  return JSON.stringify(value);
}
