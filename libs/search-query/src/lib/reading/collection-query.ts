import { message } from '@ats/message';
import { type Condition, type SortKey, type TextFilter } from '../model/condition.js';
import { type Faulty, FaultReport, type SearchFault, type SearchParameter, toFaulty } from './fault.js';
import { SEARCH_LIMITS } from '../model/limits.js';
import { readCondition } from './search-condition.js';
import { pathOfField } from './search-key.js';
import { type SearchSubject } from '../model/search-model.js';
import { hasAllowedLength } from './search-param.js';
import { readSortKey } from './sort-param.js';
import { isSearchableText } from './values.js';

/** What narrows and orders a collection, as a client wrote it: `search` and `sort` as often as they were given. */
export interface CollectionParameters {
  readonly search: readonly string[];
  /** May be given once. */
  readonly filter?: string | undefined;
  readonly sort: readonly string[];
}

/** The same, understood. */
export interface CollectionQuery {
  readonly condition: Condition;
  readonly sort: readonly SortKey[];
  /** Every datapath that decides about an item or its place, without the root's name: what a client must be allowed to read. */
  readonly datapaths: readonly string[];
  readonly faults?: undefined;
}

/** No condition, no order of its own. */
export const EVERYTHING: CollectionQuery = { condition: { kind: 'all', conditions: [] }, sort: [], datapaths: [] };

/**
 * Reads all parameters that narrow and order a collection.
 * @returns the query, or the faults of all parameters together
 * Source: SPEC.md 4.1 and 4.2, CONTRACT.md 4.
 */
export function readCollectionQuery(
  subject: SearchSubject,
  { search, filter, sort }: CollectionParameters,
): CollectionQuery | Faulty {
  const faults: SearchFault[] = [];
  const conditions: Condition[] = readEach(
    { parameter: 'search', texts: search, limit: SEARCH_LIMITS.conditions },
    faults,
    (report) => readCondition(subject, report),
  );
  const filters = readEach(
    { parameter: 'filter', texts: filter === undefined ? [] : [filter], limit: 1 },
    faults,
    (report) => readFilter(subject, report),
  );
  const keys = readEach({ parameter: 'sort', texts: sort, limit: SEARCH_LIMITS.sortKeys }, faults, (report) =>
    readSortKey(subject, report),
  );
  const condition: Condition = { kind: 'all', conditions: [...conditions, ...filters] };
  const steps = stepsOf(condition) + keys.reduce((sum, { path }) => sum + path.steps.length, 0);
  if (steps > SEARCH_LIMITS.steps) {
    const fault = message`expected all conditions and sort keys to follow at most ${SEARCH_LIMITS.steps} relations together, found ${steps}`;
    faults.push({
      parameter: conditions.length > 0 ? 'search' : 'sort',
      code: 'limit_exceeded',
      message: fault,
      text: '',
      offset: 0,
      length: 0,
      hint: null,
    });
  }
  const faulty = toFaulty(faults);
  if (faulty) return faulty;
  return { condition, sort: keys, datapaths: readBy(condition, keys) };
}

/** What all of the queries ask for; in the order of the first that has one. */
export function combineQueries(queries: readonly CollectionQuery[]): CollectionQuery {
  const condition: Condition = {
    kind: 'all',
    conditions: queries.flatMap((query) =>
      query.condition.kind === 'all' ? query.condition.conditions : [query.condition],
    ),
  };
  const sort = queries.find((query) => query.sort.length > 0)?.sort ?? [];
  return { condition, sort, datapaths: readBy(condition, sort) };
}

const readBy = (condition: Condition, sort: readonly SortKey[]): readonly string[] => [
  ...new Set([...datapathsOf(condition), ...sort.map(({ path }) => path.datapath)]),
];

/** How many relations its comparisons follow; those of the filter are the program's own. */
function stepsOf(condition: Condition): number {
  switch (condition.kind) {
    case 'all':
      return condition.conditions.reduce((sum, one) => sum + stepsOf(one), 0);
    case 'filter':
      return 0;
    case 'comparison':
      return condition.path.steps.length;
  }
}

/** The datapaths that a condition reads, without the root's name. */
export function datapathsOf(condition: Condition): readonly string[] {
  switch (condition.kind) {
    case 'all':
      return condition.conditions.flatMap(datapathsOf);
    case 'filter':
      return condition.fields.map(({ datapath }) => datapath);
    case 'comparison':
      return [condition.path.datapath];
  }
}

interface Given {
  readonly parameter: SearchParameter;
  readonly texts: readonly string[];
  readonly limit: number;
}

function readEach<T>(
  { parameter, texts, limit }: Given,
  faults: SearchFault[],
  read: (report: FaultReport) => T | undefined,
): T[] {
  if (texts.length > limit) {
    const fault = message`expected at most ${limit} times, found ${texts.length} times`;
    faults.push({ parameter, code: 'limit_exceeded', message: fault, text: '', offset: 0, length: 0, hint: null });
    return [];
  }
  return texts.flatMap((text) => {
    const report = new FaultReport(parameter, text);
    const result = read(report);
    faults.push(...report.faults);
    return result === undefined ? [] : [result];
  });
}

function readFilter(subject: SearchSubject, report: FaultReport): TextFilter | undefined {
  const { text } = report;
  if (!hasAllowedLength(report, SEARCH_LIMITS.filterLength)) return undefined;
  if (text === '')
    return report.add({ code: 'empty_value', message: message`expected a text to look for`, offset: 0, length: 0 });
  if (!isSearchableText(report, { text, offset: 0, length: text.length })) return undefined;
  const fields = subject.representation.filter(({ filterable }) => filterable);
  return {
    kind: 'filter',
    root: subject.root,
    text,
    fields: fields.map(({ datapath }) => pathOfField(subject, datapath)),
  };
}
