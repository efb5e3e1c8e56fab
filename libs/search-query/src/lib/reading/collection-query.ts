import { message, type Message } from '@ats/message';
import {
  type Comparison,
  type Condition,
  type Operand,
  type Path,
  type SortKey,
  type TextFilter,
} from '../model/condition.js';
import { type Invalid, ViolationReport, type SearchViolation, type SearchParameter, toInvalid } from './violation.js';
import { type RequestLimits, SEARCH_LIMITS } from '../model/limits.js';
import { readCondition } from './search-condition.js';
import { pathOfField } from './search-key.js';
import { type SearchSubject } from '../model/search-model.js';
import { hasAllowedLength } from './search-param.js';
import { readSortKey } from './sort-param.js';
import { isSearchableText } from './values.js';
import { pathIndexes, readWhere } from './where-param.js';

/** The parameters of a collection as the client sent them. `search` and `sort` have one entry per parameter. */
export interface CollectionParameters {
  /** The conditions. Defaults to none. */
  readonly search?: readonly string[];
  /** At most one `filter` parameter is allowed. */
  readonly filter?: string | undefined;
  /** An expression. At most one `where` parameter is allowed. */
  readonly where?: string | undefined;
  /** The sort keys. Defaults to none. */
  readonly sort?: readonly string[];
}

/** The parameters of a collection after checking. */
export interface CollectionQuery {
  /** The condition that items must meet. */
  readonly condition: Condition;
  /** The sort keys, the most important one first. */
  readonly sort: readonly SortKey[];
  /** All datapaths that conditions and sort keys read, without the root. A client needs the scopes for all of them. */
  readonly datapaths: readonly string[];
  /** Always absent. Only a result with violations has this property. */
  readonly violations?: undefined;
}

/** A query without conditions and sort keys. */
export const EVERYTHING: CollectionQuery = { condition: { kind: 'all', conditions: [] }, sort: [], datapaths: [] };

/**
 * Reads the parameters `search`, `filter`, `where` and `sort` of a collection.
 * @returns the query, or the violations of all parameters together. No text makes it throw
 * @throws {Error} when `where` needs a clock and the subject has no `clock`, see `whereNeedsClock`
 * @throws {ModelError} when the model contradicts itself, see `checkModel` of `@ats/datapath`
 * @throws {DatapathSyntaxError} when the representation of the subject has a text that is no datapath
 * @throws {DatapathCheckError} when the representation of the subject names what the model does not have
 * Source: docs/reference/search.md.
 */
export function readCollectionQuery(
  subject: SearchSubject,
  { search = [], filter, where, sort = [] }: CollectionParameters,
): CollectionQuery | Invalid {
  const violations: SearchViolation[] = [];
  const limits = { ...SEARCH_LIMITS, ...subject.limits };
  const conditions: Condition[] = readEach(
    { parameter: 'search', texts: search, limit: limits.conditions },
    violations,
    (report) => readCondition(subject, report),
  );
  const filters = readEach(
    { parameter: 'filter', texts: filter === undefined ? [] : [filter], limit: 1 },
    violations,
    (report) => readFilter(subject, report),
  );
  const expressions = readEach(
    { parameter: 'where', texts: where === undefined ? [] : [where], limit: 1 },
    violations,
    (report) => readWhere(subject, report),
  );
  const keys = readEach({ parameter: 'sort', texts: sort, limit: limits.sortKeys }, violations, (report) =>
    readSortKey(subject, report),
  );
  const condition: Condition = { kind: 'all', conditions: [...conditions, ...filters, ...expressions] };
  const query = { condition, sort: keys, datapaths: datapathsOfQuery(condition, keys) };
  const exceeded = exceededLimit(query, limits);
  if (exceeded)
    violations.push({
      parameter: conditions.length > 0 ? 'search' : expressions.length > 0 ? 'where' : 'sort',
      code: 'limit_exceeded',
      message: exceeded,
      text: '',
      offset: 0,
      length: 0,
      hint: null,
    });
  const invalid = toInvalid(violations);
  if (invalid) return invalid;
  return query;
}

/**
 * Returns the limit of a request that a query exceeds. Also check a combination of several queries, because each may be
 * within the limits while all together are not.
 * @param given limits of the host; limits that it leaves out have the values of `SEARCH_LIMITS`
 * @returns undefined when the query is within all limits
 * Source: docs/reference/search.md, "Limits".
 */
export function exceededLimit(
  { condition, sort }: CollectionQuery,
  given: Partial<RequestLimits> = {},
): Message | undefined {
  const comparisons = comparisonsOf(condition);
  const paths = [...[...comparisons, ...sort].map(({ path }) => path), ...expressionPaths(condition)];
  const steps = paths.reduce((sum, path) => sum + path.steps.length, 0);
  const values = comparisons.flatMap(({ operand }): Operand['values'][number][] => [...operand.values]);
  const length = values.reduce((sum: number, value) => sum + (typeof value === 'string' ? value.length : 1), 0);
  const { conditions, sortKeys, steps: maxSteps, values: maxValues, valuesLength } = { ...SEARCH_LIMITS, ...given };
  if (comparisons.length > conditions)
    return message`expected at most ${conditions} conditions in total, found ${comparisons.length}`;
  if (sort.length > sortKeys) return message`expected at most ${sortKeys} sort keys in total, found ${sort.length}`;
  if (steps > maxSteps)
    return message`expected all conditions and sort keys to follow at most ${maxSteps} relations in total, found ${steps}`;
  if (values.length > maxValues)
    return message`expected at most ${maxValues} values in all conditions together, found ${values.length}`;
  if (length > valuesLength)
    return message`expected the values of all conditions to have at most ${valuesLength} characters in total, found ${length}`;
  return undefined;
}

function comparisonsOf(condition: Condition): readonly Comparison[] {
  switch (condition.kind) {
    case 'all':
      return condition.conditions.flatMap(comparisonsOf);
    case 'expression':
      return [];
    case 'filter':
      return []; // The fields of a filter do not count, because they come from the program and not from the client.
    case 'comparison':
      return [condition];
  }
}

/** Lists the paths of all expressions. A path is listed each time that an expression names it. */
function expressionPaths(condition: Condition): readonly Path[] {
  if (condition.kind === 'all') return condition.conditions.flatMap(expressionPaths);
  if (condition.kind !== 'expression' || condition.checked.condition === null) return [];
  return pathIndexes(condition.checked.condition).flatMap((index) => condition.paths[index] ?? []);
}

/** Combines the conditions of all queries with AND. The sort keys come from the first query that has any. */
export function combineQueries(queries: readonly CollectionQuery[]): CollectionQuery {
  const condition: Condition = {
    kind: 'all',
    conditions: queries.flatMap((query) =>
      query.condition.kind === 'all' ? query.condition.conditions : [query.condition],
    ),
  };
  const sort = queries.find((query) => query.sort.length > 0)?.sort ?? [];
  return { condition, sort, datapaths: datapathsOfQuery(condition, sort) };
}

const datapathsOfQuery = (condition: Condition, sort: readonly SortKey[]): readonly string[] => [
  ...new Set([...datapathsOf(condition), ...sort.map(({ path }) => path.datapath)]),
];

/** Lists the datapaths that a condition reads, without the root. */
export function datapathsOf(condition: Condition): readonly string[] {
  switch (condition.kind) {
    case 'all':
      return condition.conditions.flatMap(datapathsOf);
    case 'filter':
      return condition.fields.map(({ datapath }) => datapath);
    case 'comparison':
      return [condition.path.datapath];
    case 'expression':
      return condition.paths.map(({ datapath }) => datapath);
  }
}

interface RepeatedParameter {
  readonly parameter: SearchParameter;
  readonly texts: readonly string[];
  readonly limit: number;
}

function readEach<T>(
  { parameter, texts, limit }: RepeatedParameter,
  violations: SearchViolation[],
  read: (report: ViolationReport) => T | undefined,
): T[] {
  if (texts.length > limit) {
    const violation = message`expected the parameter at most ${limit} times, found it ${texts.length} times`;
    violations.push({
      parameter,
      code: 'limit_exceeded',
      message: violation,
      text: '',
      offset: 0,
      length: 0,
      hint: null,
    });
    return [];
  }
  return texts.flatMap((text) => {
    const report = new ViolationReport(parameter, text);
    const result = read(report);
    violations.push(...report.violations);
    return result === undefined ? [] : [result];
  });
}

function readFilter(subject: SearchSubject, report: ViolationReport): TextFilter | undefined {
  const { text } = report;
  if (!hasAllowedLength(report, SEARCH_LIMITS.filterLength)) return undefined;
  if (text === '')
    return report.add({ code: 'empty_value', message: message`expected a text to look for`, offset: 0, length: 0 });
  if (!isSearchableText(report, { text, offset: 0, length: text.length })) return undefined;
  const fields = (subject.representation ?? []).filter(({ filterable }) => filterable);
  return {
    kind: 'filter',
    root: subject.root,
    text,
    fields: fields.map(({ datapath }) => pathOfField(subject, datapath)),
  };
}
