import { type Condition } from '../model/condition.js';
import { expressionLookups } from './expression-sql.js';
import { filterLookups } from './filter-sql.js';
import { SEARCH_LIMITS } from '../model/limits.js';
import { pathLookup } from './path-sql.js';
import { type Lookup, type Lookups, type SqlOptions, SqlParameters, SqlScope } from './sql-scope.js';

/** The statement that must run before a condition is compiled. It returns one row, whose columns are lists of ids. */
export interface LookupsSql {
  /** The text of the statement. */
  readonly text: string;
  /** The values of the parameters of the statement. */
  readonly parameters: readonly unknown[];
  /** Converts the lists of the returned row, in the order of its columns, to look-ups. */
  read(lists: readonly (readonly (string | number)[])[]): Lookups;
}

/** Options of `compileLookupsSql`. */
export type LookupsSqlOptions = Omit<SqlOptions, 'parameters' | 'lookups'>;

/**
 * Compiles the statement that looks up ids before a condition is compiled. It finds rows of small tables, rows that
 * have the id of their owner, and rows that contain the text of a filter. A list of ids gives a better plan than a
 * subselect, because PostgreSQL knows its length.
 * @returns undefined when no part of the condition needs a look-up
 * @throws {ContextError} when an expression needs a clock whose `now` is no `Date`, or whose `timeZone` is no IANA name
 */
export function compileLookupsSql(condition: Condition, options: LookupsSqlOptions): LookupsSql | undefined {
  const parameters = new SqlParameters();
  const lookups = lookupsOf(condition, new SqlScope({ ...options, parameters }));
  if (lookups.length === 0) return undefined;
  const limit = SEARCH_LIMITS.lookupIds + 1;
  const columns = lookups.map(({ select }, index) => `ARRAY(${select} LIMIT ${String(limit)}) AS l${String(index)}`);
  return {
    text: `SELECT ${columns.join(', ')}`,
    parameters: parameters.values,
    read: (lists) => new Map(lookups.map(({ key }, index) => [key, idsOf(lists[index] ?? [])])),
  };
}

const idsOf = (list: readonly (string | number)[]): readonly string[] | null =>
  list.length > SEARCH_LIMITS.lookupIds ? null : list.map(String);

function lookupsOf(condition: Condition, scope: SqlScope): readonly Lookup[] {
  switch (condition.kind) {
    case 'all':
      return condition.conditions.flatMap((one) => lookupsOf(one, scope));
    case 'filter':
      return filterLookups(condition, scope);
    case 'expression':
      return expressionLookups(condition, scope);
    case 'comparison':
      return pathLookup(condition, scope);
  }
}
