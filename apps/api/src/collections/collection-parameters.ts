import { requiredScopes, searchSubject, subjectForTexts, type ReadSettings, type Resource } from '@ats/domain';
import { Database } from '@ats/postgres';
import { message } from '@ats/message';
import { findOnly, parsePageParameters } from '@ats/pagination';
import {
  type CollectionQuery,
  combineQueries,
  formatSearchViolation,
  searchViolationMessage,
  readCollectionQuery,
  type SortPosition,
} from '@ats/search-query';
import { Injectable } from '@nestjs/common';
import { invalidQuery, parameterProblem, unknownParameters } from '../request/query.js';
import { type RequestContext } from '../request/request-context.js';
import { Problem, type ProblemDetail } from '../vocabulary/problem.js';
import { checkDatapathScopes, checkScope, type Scope } from '../vocabulary/scopes.js';
import { attributeFilterParameters, readAttributeFilters } from './attribute-filters.js';
import { type GivenParameters } from './given-parameters.js';
import { PageCursors } from './page-cursors.js';
import { COLLECTION_PARAMETERS, STORED_QUERY_PARAMETER } from './page-parameters.js';
import { exceededWith, StoredFilters } from './stored-filters.js';
import { ViewParameters } from './view-parameters.js';

/** The parsed query of a collection. */
export interface CollectionRead {
  readonly page: number;
  readonly perPage: number;
  /** The sort keys of the item before the page, when the request has a cursor. */
  readonly after?: SortPosition | undefined;
  /** All conditions and sort keys, including the conditions and sort keys of stored searches. */
  readonly query: CollectionQuery;
  /** Id of a selection. The page contains only members of this selection. */
  readonly selectionId?: number;
  /** The settings of the representation of items. */
  readonly settings: ReadSettings;
}

/** Additional conditions of one collection. They come from its own parameters or from its path. */
export interface CollectionFilter {
  readonly parameters: readonly string[];
  /** Names of those of `parameters` that choose a page. A stored query never contains them. Defaults to none. */
  readonly pagingParameters?: readonly string[];
  /**
   * Identifies the conditions that the path of the collection sets. A cursor is valid only for requests with the same
   * text.
   */
  readonly cursorScope?: string;
  /** Reads the parameters as conditions. @param violations  receives the violations of the parameters */
  read(parameters: URLSearchParams, violations: ProblemDetail[]): Promise<readonly CollectionQuery[]>;
}

/** Properties that a collection adds to the representation of its items. */
export interface FurtherProperties {
  readonly names: readonly string[];
  /** Adds the properties to each item of a page, which is a list as JSON text in UTF-8. */
  add(page: Buffer): Promise<Buffer>;
}

/** Properties of a collection that follow from its route and not from the query. */
export interface CollectionOptions {
  /** Id of the owner: the item above the collection in the path, or the recruiter whose items the collection lists. */
  readonly ownerId?: number | undefined;
  readonly filter?: CollectionFilter;
  readonly further?: FurtherProperties;
  /** True when items are ordered by id instead of the resource's own order, for a request without a sort key. */
  readonly isUnordered?: boolean;
  /** Decides whether to read from the primary even when there is a replica. Defaults to never. */
  readonly readsPrimary?: (parameters: URLSearchParams) => boolean;
}

const KNOWN = COLLECTION_PARAMETERS.map(({ name }) => name);
const PAGING = COLLECTION_PARAMETERS.filter(({ isPaging }) => isPaging).map(({ name }) => name);

/** Returns the parameters of a collection that choose a page. */
export const pagingParametersOf = ({ filter }: CollectionOptions): readonly string[] => [
  ...PAGING,
  ...(filter?.pagingParameters ?? []),
];

/** Reads the query of a collection. */
@Injectable()
export class CollectionParameters {
  constructor(
    private readonly database: Database,
    private readonly view: ViewParameters,
    private readonly stored: StoredFilters,
    private readonly cursors: PageCursors,
  ) {}

  /**
   * Reads and validates all parameters together.
   * @throws {Problem} 400 with the violations of all parameters; 403 when a parameter needs a scope that the credential
   *   lacks
   * Source: docs/reference/search.md and docs/reference/paging.md.
   */
  async read(
    resource: Resource,
    given: GivenParameters,
    context: RequestContext,
    of: CollectionOptions = {},
  ): Promise<CollectionRead> {
    const { ownerId, filter } = of;
    const { parameters } = given;
    const unknown = unknownParameters(resource.name, parameters, [
      ...KNOWN,
      STORED_QUERY_PARAMETER.name,
      ...attributeFilterParameters(resource).map(({ name }) => name),
      ...(filter?.parameters ?? []),
    ]);
    const violations = [...given.violations, ...unknown];
    const place = { resource: resource.name, path: '' };
    const pages = parsePageParameters(parameters);
    if (pages.violations) violations.push(...pages.violations.map((one) => parameterProblem(resource.name, one)));
    const text = findOnly(parameters, 'filter');
    if (typeof text === 'object') violations.push(parameterProblem(resource.name, text));
    const where = findOnly(parameters, 'where');
    if (typeof where === 'object') violations.push(parameterProblem(resource.name, where));
    const expression = typeof where === 'string' ? where : undefined;
    const [search, sort] = [parameters.getAll('search'), parameters.getAll('sort')];
    const subject = await subjectForTexts(
      (text, values) => this.database.query(text, values),
      resource.type,
      [...search, ...sort],
      {
        where: expression,
      },
    );
    const query = readCollectionQuery(subject, {
      search,
      filter: typeof text === 'string' ? text : undefined,
      where: expression,
      sort,
    });
    if (query.violations) {
      violations.push(
        ...query.violations.map((violation) => ({
          ...place,
          parameter: violation.parameter,
          code: 'invalid' as const,
          info: searchViolationMessage(violation),
        })),
      );
    }
    const filters = [
      ...readAttributeFilters(resource, parameters, violations),
      ...((await filter?.read(parameters, violations)) ?? []),
    ];
    const settings = await this.view.read(resource, parameters, context, violations, of.further?.names);
    const stored = await this.stored.read(resource, parameters, context);
    violations.push(...stored.violations.map((violation) => ({ ...place, ...violation })));
    const combined = query.violations
      ? undefined
      : combineQueries([query, ...filters, ...stored.queries, ...(of.isUnordered ? [] : [orderOf(resource)])]);
    if (!query.violations)
      violations.push(...exceededWith(stored, query).map((violation) => ({ ...place, ...violation })));
    const pageQuery = {
      resource,
      parameters,
      context,
      ownerId,
      cursorScope: filter?.cursorScope,
      order: combined?.sort ?? [],
    };
    const cursor =
      pages.violations || pages.after === undefined ? undefined : this.cursors.open(pages.after, pageQuery, pages.page);
    if (cursor && 'violation' in cursor) violations.push(parameterProblem(resource.name, cursor.violation));
    if (pages.violations || !combined || violations.length > 0)
      throw invalidQuery(given.handle === undefined ? violations : hidden(violations, given, pagingParametersOf(of)));
    if (given.handle === undefined)
      checkDatapathScopes(context.actor.scopes, resource.type.name, combined.datapaths, resource.leadsTo);
    else checkStoredQueryScopes(context.actor.scopes, resource, combined.datapaths);
    this.view.check(resource, settings, context);
    this.stored.check(stored, context);
    return {
      page: pages.page,
      perPage: pages.perPage,
      query: combined,
      settings,
      ...(cursor && 'keys' in cursor && { after: cursor.keys }),
      ...(stored.selectionId !== undefined && { selectionId: stored.selectionId }),
    };
  }
}

/**
 * Hides the violations of stored parameters behind one general violation. The credential may lack the scopes that the
 * stored query needs, so it must not see the parameters.
 */
function hidden(
  violations: readonly ProblemDetail[],
  { violations: sent }: GivenParameters,
  pagingParameters: readonly string[],
): readonly ProblemDetail[] {
  const isVisible = (violation: ProblemDetail): boolean =>
    sent.includes(violation) || pagingParameters.includes(violation.parameter ?? '');
  const first = violations.find((violation) => !isVisible(violation));
  if (!first) return violations;
  return [...violations.filter(isVisible), invalidStoredQuery(first.resource)];
}

/** Returns the violation of a stored query that has become invalid. It does not quote the query. */
export const invalidStoredQuery = (resource: string): ProblemDetail => ({
  resource,
  path: '',
  parameter: STORED_QUERY_PARAMETER.name,
  code: 'invalid',
  info: message`the stored query is no longer valid: send its parameters again to see why`,
});

/**
 * Checks the scopes of a stored query's datapaths.
 * @throws {Problem} 403 that names the missing scope, but no datapath, because the stored query is hidden
 */
export function checkStoredQueryScopes(
  scopes: RequestContext['actor']['scopes'],
  { type, leadsTo }: Resource,
  datapaths: readonly string[],
): void {
  const { name } = STORED_QUERY_PARAMETER;
  for (const scope of datapaths.flatMap((datapath) => requiredScopes(type.name, datapath, leadsTo)))
    checkScope(
      scopes,
      scope as Scope,
      message`The credential lacks the scope ${scope}, which the parameter ${name} needs`,
    );
}

/** Parses conditions that the service itself adds. @param search  in the syntax of the `search` parameter */
export const programQuery = (resource: Resource, search: readonly string[]): CollectionQuery =>
  parseOwnQuery(resource, { search, sort: [] });

const orderOf = (resource: Resource): CollectionQuery =>
  parseOwnQuery(resource, { search: [], sort: resource.order ?? [] });

function parseOwnQuery(
  { type, name }: Resource,
  parameters: Parameters<typeof readCollectionQuery>[1],
): CollectionQuery {
  const query = readCollectionQuery(searchSubject(type), parameters);
  if (query.violations) throw new Error(`${name}: ${formatSearchViolation(query.violations[0])}`);
  return query;
}

/** The error code `query_canceled` of PostgreSQL, for a statement that exceeded its timeout. */
const QUERY_CANCELED = '57014';

/** Returns the 400 answer for a page whose statement exceeded its timeout. Undefined for other errors. */
export function tooComplex(error: unknown, { name }: Pick<Resource, 'name'>): Problem | undefined {
  if (typeof error !== 'object' || error === null || (error as { readonly code?: unknown }).code !== QUERY_CANCELED)
    return undefined;
  const info = message`finding the items takes too long: limit them with search, or sort by fewer keys`;
  return new Problem(400, message`The query is too complex`, {
    errors: [{ resource: name, path: '', code: 'too_complex', info }],
  });
}
