import { type Comparison, type Condition } from '../model/condition.js';
import { expressionSql } from './expression-sql.js';
import { filterSql } from './filter-sql.js';
import { pathSql } from './path-sql.js';
import { negate, type SqlCondition, SqlParameters, SqlScope, type SqlOptions } from './sql-scope.js';

/** Options of `compileConditionSql`. Several conditions of one statement share `parameters`. */
export type ConditionSqlOptions = Omit<SqlOptions, 'parameters'> & { readonly parameters?: SqlParameters };

/** A piece of SQL and the values of its parameters. */
export interface SqlText {
  /** An expression for WHERE. It is true for rows that match, and false or null for all others. */
  readonly text: string;
  /** The values of the parameters from `$1` on, including those that were already in a shared `SqlParameters`. */
  readonly parameters: readonly unknown[];
}

/**
 * Compiles a condition to an SQL expression over the row of a collection. All names come from the model, and all values
 * are parameters. The text depends on keys, operators and types of values, but not on the values or the lengths of
 * lists. So PostgreSQL can reuse prepared statements.
 * @throws {ContextError} when an expression needs a clock whose `now` is no `Date`, or whose `timeZone` is no IANA name
 */
export function compileConditionSql(
  condition: Condition,
  { parameters = new SqlParameters(), ...options }: ConditionSqlOptions,
): SqlText {
  const { text } = conditionSql(condition, new SqlScope({ ...options, parameters }));
  return { text, parameters: parameters.values };
}

function conditionSql(condition: Condition, scope: SqlScope): SqlCondition {
  switch (condition.kind) {
    case 'all':
      return allSql(condition.conditions.map((one) => conditionSql(one, scope)));
    case 'filter':
      return filterSql(condition, scope);
    case 'expression':
      return expressionSql(condition, scope);
    case 'comparison':
      return comparisonSql(condition, scope);
  }
}

function allSql(conditions: readonly SqlCondition[]): SqlCondition {
  if (conditions.length === 0) return { text: 'true', canBeNull: false };
  return {
    text: conditions.map(({ text }) => `(${text})`).join(' AND '),
    canBeNull: conditions.some(({ canBeNull }) => canBeNull),
  };
}

function comparisonSql(comparison: Comparison, scope: SqlScope): SqlCondition {
  const positive = pathSql(comparison, scope);
  return comparison.isNegated ? negate(positive) : positive;
}
