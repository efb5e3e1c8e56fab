import { modelForTexts, searchSubject, type ReadSettings, type Resource } from '@ats/domain';
import { Database } from '@ats/postgres';
import { message } from '@ats/message';
import { findOnly, parsePageParameters } from '@ats/pagination';
import {
  type CollectionQuery,
  combineQueries,
  formatSearchViolation,
  readCollectionQuery,
  type SortPosition,
} from '@ats/search-query';
import { Injectable } from '@nestjs/common';
import { invalidQuery, unknownParameters } from '../request/query.js';
import { type RequestContext } from '../request/request-context.js';
import { Problem, type ProblemDetail } from '../vocabulary/problem.js';
import { checkDatapathScopes } from '../vocabulary/scopes.js';
import { readAttributeFilters } from './attribute-filters.js';
import { PageCursors } from './page-cursors.js';
import { COLLECTION_PARAMETERS } from './page-parameters.js';
import { StoredFilters } from './stored-filters.js';
import { ViewParameters } from './view-parameters.js';

/** The parsed query of a collection. */
export interface CollectionRead {
  readonly page: number;
  readonly perPage: number;
  /** The sort keys of the item before the page, when the request has a cursor. */
  readonly after?: SortPosition | undefined;
  /** All conditions and sort keys, including those of stored searches. */
  readonly query: CollectionQuery;
  /** Id of the selection that the items must be members of. */
  readonly selectionId?: number;
  /** The settings of the representation of items. */
  readonly settings: ReadSettings;
}

/** Additional conditions of one collection, from parameters of its own or from its path. */
export interface CollectionFilter {
  readonly parameters: readonly string[];
  /**
   * Text that identifies the conditions which do not come from the parameters. A cursor is valid only with the same
   * text.
   */
  readonly cursorScope?: string;
  /** @param violations  receives the violations of the parameters */
  read(parameters: URLSearchParams, violations: ProblemDetail[]): Promise<readonly CollectionQuery[]>;
}

/** Properties of a collection that its route determines, not the query. */
export interface CollectionOptions {
  /** Id of the owner: the item above the collection in the path, or the recruiter whose items the collection lists. */
  readonly ownerId?: number | undefined;
  readonly filter?: CollectionFilter;
  /** Reads from the primary even when there is a replica. Defaults to false. */
  readonly readsPrimary?: boolean;
}

const KNOWN = COLLECTION_PARAMETERS.map(({ name }) => name);

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
    parameters: URLSearchParams,
    context: RequestContext,
    { ownerId, filter }: CollectionOptions = {},
  ): Promise<CollectionRead> {
    const violations = unknownParameters(resource.name, parameters, [
      ...KNOWN,
      ...(resource.attributeFilters ?? []),
      ...(filter?.parameters ?? []),
    ]);
    const place = { resource: resource.name, path: '' };
    const pages = parsePageParameters(parameters);
    if (pages.violations) violations.push(...pages.violations.map((violation) => ({ ...place, ...violation })));
    const text = findOnly(parameters, 'filter');
    if (typeof text === 'object') violations.push({ ...place, ...text });
    const [search, sort] = [parameters.getAll('search'), parameters.getAll('sort')];
    const model = await modelForTexts((text, values) => this.database.query(text, values), [...search, ...sort]);
    const query = readCollectionQuery(searchSubject(resource.type, model), {
      search,
      filter: typeof text === 'string' ? text : undefined,
      sort,
    });
    if (query.violations) {
      violations.push(
        ...query.violations.map((violation) => ({
          ...place,
          parameter: violation.parameter,
          code: 'invalid',
          info: formatSearchViolation(violation),
        })),
      );
    }
    const filters = [
      ...readAttributeFilters(resource, parameters, violations),
      ...((await filter?.read(parameters, violations)) ?? []),
    ];
    const settings = await this.view.read(resource, parameters, context, violations);
    const stored = await this.stored.read(resource, parameters, context);
    violations.push(...stored.violations.map((violation) => ({ ...place, ...violation })));
    const combined = query.violations
      ? undefined
      : combineQueries([query, ...filters, ...stored.queries, orderOf(resource)]);
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
    if (cursor && 'violation' in cursor) violations.push({ ...place, ...cursor.violation });
    if (pages.violations || !combined || violations.length > 0) throw invalidQuery(violations);
    checkDatapathScopes(context.actor.scopes, resource.type.name, combined.datapaths, resource.leadsTo);
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
  if (query.violations) throw new Error(`${name}: ${String(formatSearchViolation(query.violations[0]))}`);
  return query;
}

/** PostgreSQL's `query_canceled`: the statement exceeded its timeout. */
const QUERY_CANCELED = '57014';

/** Returns the 400 answer for a page whose statement exceeded its timeout. Undefined for other errors. */
export function tooComplex(error: unknown, { name }: Resource): Problem | undefined {
  if (typeof error !== 'object' || error === null || (error as { readonly code?: unknown }).code !== QUERY_CANCELED)
    return undefined;
  const info = message`finding the items takes too long: limit them with search, or sort by fewer keys`;
  return new Problem(400, message`The query is too complex`, {
    errors: [{ resource: name, path: '', code: 'too_complex', info }],
  });
}
