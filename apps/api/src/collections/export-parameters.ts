import { type Resource } from '@ats/domain';
import { message } from '@ats/message';
import { combineQueries, type CollectionQuery } from '@ats/search-query';
import { readIdParameter } from '../request/id-parameter.js';
import { invalidQuery } from '../request/query.js';
import { type ProblemDetail } from '../vocabulary/problem.js';
import { programQuery } from './collection-parameters.js';
import { FORMAT_PARAMETER } from './export-format.js';
import { type GivenParameters } from './given-parameters.js';

const AFTER = 'after';
const PAGES = ['page', 'per_page'];

export interface ExportParameters {
  /** The parameters of the request, except those that only exports have. */
  readonly given: GivenParameters;
  /** Id of an item. The export begins after this item. */
  readonly afterId?: number | undefined;
}

/**
 * Splits the parameters of a request into those of the query and those that only exports have. An export refuses the
 * parameters of pages.
 */
export function readExportParameters({ name: resource }: Resource, given: GivenParameters): ExportParameters {
  const after = readIdParameter(given.parameters, AFTER, { least: 0 });
  const violations: ProblemDetail[] = [...given.violations];
  const refuse = (parameter: string, info: ProblemDetail['info']): void =>
    void violations.push({ resource, path: '', parameter, code: 'invalid', ...(info && { info }) });
  if (after?.violation !== undefined) refuse(AFTER, after.violation);
  for (const parameter of PAGES)
    if (given.parameters.has(parameter)) refuse(parameter, message`an export has no pages: leave the parameter out`);
  const own = [AFTER, FORMAT_PARAMETER.name, ...PAGES];
  const parameters = new URLSearchParams([...given.parameters].filter(([parameter]) => !own.includes(parameter)));
  return { given: { ...given, parameters, violations }, afterId: after?.id };
}

/**
 * Limits a query to the items after an id.
 * @throws {Problem} 400 when the query is not ordered by id
 */
export function afterItem(resource: Resource, query: CollectionQuery, id: number | undefined): CollectionQuery {
  if (id === undefined) return query;
  if (query.sort.length === 0) return combineQueries([query, programQuery(resource, [`/id>${id}`])]);
  const info = message`an export can be resumed after an id only when it is ordered by id; omit sort`;
  throw invalidQuery([{ resource: resource.name, path: '', parameter: AFTER, code: 'invalid', info }]);
}
