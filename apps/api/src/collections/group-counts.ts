import { isPersonal, readGroups, type Resource, subjectForTexts, type ViolationCode } from '@ats/domain';
import { message } from '@ats/message';
import { findOnly } from '@ats/pagination';
import { Database } from '@ats/postgres';
import { type CollectionQuery, searchViolationMessage, readCollectionQuery, type SortKey } from '@ats/search-query';
import { applyDecorators, Get, Injectable } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { AuditLog } from '../audit/audit-log.js';
import { type RequestContext } from '../request/request-context.js';
import { sendPage } from '../request/answer.js';
import { queryOf, ReadsQuery } from '../request/query.js';
import { RequiresScope } from '../vocabulary/scopes.js';
import { attributeFilterParameters } from './attribute-filters.js';
import { Operation, type OperationDescription, type QueryParameter, strictObject } from '../vocabulary/operation.js';
import { Problem, type ProblemDetail } from '../vocabulary/problem.js';
import {
  type CollectionFilter,
  CollectionParameters,
  pagingParametersOf,
  tooComplex,
} from './collection-parameters.js';
import { COLLECTION_PARAMETERS, STORED_QUERY_PARAMETER } from './page-parameters.js';
import { PageServers } from './page-servers.js';
import { ResourceReader } from './resource-reader.js';
import { StoredQueries } from './stored-queries.js';
import { VIEW_PARAMETERS } from './view-parameters.js';

const MAX_GROUPS = 1_000;
const MAX_DATAPATHS = 4;
/**
 * A sort direction. The parameter `by` is parsed as sort keys, so each datapath gets this direction. Error texts leave
 * the direction out.
 */
const DIRECTION = '!asc';

const BY: QueryParameter = {
  name: 'by',
  description: `One to ${MAX_DATAPATHS} datapaths without to-many relations, separated by commas. Items with the same
values of all of them are one group.`,
  schema: { type: 'string' },
  required: true,
};

/**
 * The parameters of a collection that choose a page, an order or a representation. A request for counts must not have
 * them. A stored query may have them, but they have no effect on counts.
 */
const REFUSED = [
  ...COLLECTION_PARAMETERS.filter(({ isPaging, name }) => isPaging || name === 'sort').map(({ name }) => name),
  ...VIEW_PARAMETERS.map(({ name }) => name),
];

/** The parameters of counts by group that every collection has. */
const COUNTS_PARAMETERS: readonly QueryParameter[] = [
  BY,
  ...COLLECTION_PARAMETERS.filter(({ name }) => !REFUSED.includes(name)),
  STORED_QUERY_PARAMETER,
];

const ANSWER: OperationDescription['answer'] = {
  status: 200,
  description: `The groups, the largest one first, at most ${MAX_GROUPS}.`,
  schema: {
    name: 'group_count',
    schema: strictObject({
      values: {
        type: 'object',
        description: 'The value of each datapath of `by`, null for a missing one.',
        additionalProperties: true,
      },
      count: { type: 'integer', minimum: 1, description: 'The number of items in the group.' },
    }),
    isList: true,
  },
};

/** Makes a handler the route `GET <collection>/counts`. */
export const CountsOperation = (resource: Resource): MethodDecorator =>
  applyDecorators(
    Get('counts'),
    RequiresScope(`${resource.scope}:read`),
    ReadsQuery(),
    Operation({
      tag: resource.name,
      action: 'count',
      summary: `Count ${resource.name.replaceAll('_', ' ')} by group`,
      query: [...COUNTS_PARAMETERS, ...attributeFilterParameters(resource)],
      answer: ANSWER,
    }),
  );

/** Counts the items of a collection by group. Source: docs/reference/search.md, "Counts by group". */
@Injectable()
export class GroupCounts {
  constructor(
    private readonly database: Database,
    private readonly parameters: CollectionParameters,
    private readonly reader: ResourceReader,
    private readonly servers: PageServers,
    private readonly queries: StoredQueries,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Sends the groups of a collection.
   * @throws {Problem} 400 when parameters are invalid, the query is too complex or there are too many groups; 403 when
   *   the credential lacks a scope that a datapath needs
   */
  async send(resource: Resource, reply: FastifyReply, context: RequestContext, ownerId?: number): Promise<void> {
    const { request } = reply;
    const by = new Grouping(resource, this.database, queryOf(request));
    const of = { ownerId, filter: by };
    const collection = { resource, pagingParameters: pagingParametersOf(of) };
    const given = await this.queries.read(request, collection);
    const { query, selectionId, settings } = await this.parameters.read(resource, given, context, of);
    if (by.datapaths.some((datapath) => isPersonal(`${resource.type.name}.${datapath}`)))
      this.audit.personalDataRead(context, {
        collection: resource.name,
        itemIds: '{}',
        itemCount: 0,
        queryDigest: this.queries.digest(collection, given.parameters),
      });
    const server = await this.servers.serverFor(context.actor.credentialId);
    const wanted = {
      query,
      by: by.keys,
      most: MAX_GROUPS + 1,
      ...(ownerId !== undefined && { ownerId }),
      ...(selectionId !== undefined && { selectionId }),
    };
    try {
      const groups = await readGroups(server.reading, this.reader.statementsOf(resource, settings), wanted);
      if (groups.length > MAX_GROUPS) throw tooManyGroups(resource);
      const shown = groups.map(({ values, count }) => ({
        values: Object.fromEntries(by.names.map((name, index) => [name, values[index] ?? null])),
        count,
      }));
      sendPage(reply, Buffer.from(JSON.stringify(shown)));
    } catch (error) {
      throw tooComplex(error, resource) ?? error;
    }
  }
}

/** Reads the parameter `by`: the datapaths by which the items of a collection are grouped. */
class Grouping implements CollectionFilter {
  readonly parameters = [BY.name];
  readonly pagingParameters = [BY.name];
  /** The datapaths as the client wrote them. */
  names: readonly string[] = [];
  keys: readonly SortKey[] = [];

  constructor(
    private readonly resource: Resource,
    private readonly database: Database,
    /** The parameters of the request itself, without the parameters of a stored query. */
    private readonly sent: URLSearchParams,
  ) {}

  get datapaths(): readonly string[] {
    return this.keys.map(({ path }) => path.datapath);
  }

  /** Returns a query that sorts by `keys`, so that the scopes of these datapaths are checked. */
  async read(parameters: URLSearchParams, violations: ProblemDetail[]): Promise<readonly CollectionQuery[]> {
    const place = { resource: this.resource.name, path: '' };
    const refuse = (parameter: string, info: ProblemDetail['info'], code: ViolationCode = 'invalid'): readonly [] => {
      violations.push({ ...place, parameter, code, ...(info && { info }) });
      return [];
    };
    for (const name of REFUSED)
      if (this.sent.has(name)) refuse(name, message`unknown parameter, expected one of ${COUNTS_NAMES}`);
    const text = findOnly(parameters, BY.name);
    if (text === undefined) return refuse(BY.name, message`expected datapaths, separated by commas`, 'missing');
    if (typeof text === 'object') return refuse(BY.name, text.message);
    this.names = [...new Set(text.split(','))];
    if (this.names.length > MAX_DATAPATHS)
      return refuse(BY.name, message`expected at most ${MAX_DATAPATHS} datapaths, found ${this.names.length}`);
    if (text.includes('!')) return refuse(BY.name, message`expected datapaths, separated by commas`);
    const sort = this.names.map((name) => `${name}${DIRECTION}`);
    const subject = await subjectForTexts((sql, values) => this.database.query(sql, values), this.resource.type, sort);
    const query = readCollectionQuery(subject, { search: [], sort });
    if (query.violations) {
      for (const violation of query.violations)
        refuse(BY.name, searchViolationMessage({ ...violation, text: violation.text.replace(DIRECTION, '') }));
      return [];
    }
    this.keys = query.sort;
    return [query];
  }
}

const COUNTS_NAMES = COUNTS_PARAMETERS.map(({ name }) => name);

function tooManyGroups({ name }: Resource): Problem {
  const info = message`there are more than ${MAX_GROUPS} groups: limit the items with search or filter, or group by \
fewer datapaths`;
  return new Problem(400, message`The query is too complex`, {
    errors: [{ resource: name, path: '', parameter: BY.name, code: 'too_complex', info }],
  });
}
