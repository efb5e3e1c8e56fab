import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import {
  deleteSurplusQueries,
  findQuery,
  keepQuery,
  type QueryPairs,
  type Resource,
  type StoredQuery,
} from '@ats/domain';
import { Database } from '@ats/postgres';
import { message } from '@ats/message';
import { findOnly, quote } from '@ats/pagination';
import { ENVIRONMENT } from '@ats/nest-app';
import { Inject, Injectable } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { type Environment } from '../config/env.js';
import { parameterProblem } from '../request/query.js';
import { type ProblemDetail } from '../vocabulary/problem.js';
import { type GivenParameters, sentParameters, toParameters } from './given-parameters.js';
import { STORED_QUERY_PARAMETER } from './page-parameters.js';

/** A collection that is read by pages. */
export interface PagedCollection {
  readonly resource: Resource;
  /** The parameters that choose a page, which are never stored. */
  readonly pagingParameters: readonly string[];
}

const QUERY = STORED_QUERY_PARAMETER.name;
const KEY_LENGTH = 32;
const HANDLE_BYTES = 24;
const HANDLE = /^[\w-]{32}$/;
const PURPOSE = 'ats/stored-query-handles';
/**
 * Maximum size in bytes of all stored queries of one credential. When it is exceeded, the queries that were used
 * longest ago are deleted.
 */
const MAX_BYTES = 256 * 1024 * 1024;
/**
 * Number of newly stored queries after which this process checks `MAX_BYTES`. The check is not made more often, because
 * it reads all queries of the credential.
 */
const CHECKED_AFTER = 100;

/**
 * Stores long queries, and finds them by their handles. A handle is an HMAC of the query and its collection: equal
 * queries have the same handle, and nobody can guess the handle of a query.
 * Source: docs/reference/paging.md, "Long queries".
 */
@Injectable()
export class StoredQueries {
  readonly #key: KeyObject;
  #storedCount = 0;

  constructor(
    private readonly database: Database,
    @Inject(ENVIRONMENT) { SECRET_KEY }: Environment,
  ) {
    this.#key = createSecretKey(
      Buffer.from(hkdfSync('sha256', Buffer.from(SECRET_KEY, 'utf8'), Buffer.alloc(0), PURPOSE, KEY_LENGTH)),
    );
  }

  /**
   * Reads the parameters of a request, and the parameters of the stored query that its parameter `query` names. A
   * request without `query` needs no statement.
   */
  async read(request: FastifyRequest, collection: PagedCollection): Promise<GivenParameters> {
    const sent = sentParameters(collection.resource.name, request);
    const handle = findOnly(sent.parameters, QUERY);
    if (handle === undefined) return sent;
    const others = [...sent.parameters].filter(([name]) => name !== QUERY);
    const conflicts = conflictsOf(others, collection);
    const { name: resource } = collection.resource;
    if (typeof handle === 'object')
      return given(others, [...sent.violations, ...conflicts, parameterProblem(resource, handle)]);
    const found = HANDLE.test(handle) ? await this.#find(request, collection, handle) : undefined;
    if (!found)
      return given(others, [
        ...sent.violations,
        ...conflicts,
        { resource, path: '', parameter: QUERY, code: 'invalid', info: unknownHandle(handle) },
      ]);
    // A parameter that conflicts with the stored query is reported as a conflict and not as a repeated parameter.
    const paging = others.filter(([name]) => collection.pagingParameters.includes(name));
    return { ...given([...found, ...paging], [...sent.violations, ...conflicts]), handle };
  }

  /**
   * Returns the handle of the parameters that do not choose a page, and stores them. Undefined when there are none.
   * @param condition  the conditions that the parameters stand for
   */
  async keep(
    request: FastifyRequest,
    collection: PagedCollection,
    { parameters, condition }: { readonly parameters: URLSearchParams; readonly condition: StoredQuery['condition'] },
  ): Promise<string | undefined> {
    const pairs = storedPairs(parameters, collection);
    if (pairs.length === 0) return undefined;
    const identity = identityOf(request, collection);
    const handle = this.#hash([identity, pairs]);
    const credentialId = request.context?.actor.credentialId ?? 0;
    const isWritten = await keepQuery(this.database, { handle, collection: identity, pairs, credentialId, condition });
    if (isWritten && this.#storedCount++ % CHECKED_AFTER === 0)
      await deleteSurplusQueries(this.database, credentialId, MAX_BYTES);
    return handle;
  }

  /**
   * Returns a text that is equal for equal parameters. Nobody can guess the parameters from it. Undefined when all
   * parameters only choose a page.
   */
  digest(collection: PagedCollection, parameters: URLSearchParams): string | undefined {
    const pairs = storedPairs(parameters, collection);
    return pairs.length === 0 ? undefined : this.#hash(['digest', collection.resource.name, pairs]);
  }

  #hash(value: unknown): string {
    return createHmac('sha256', this.#key)
      .update(JSON.stringify(value))
      .digest()
      .subarray(0, HANDLE_BYTES)
      .toString('base64url');
  }

  #find(request: FastifyRequest, collection: PagedCollection, handle: string): Promise<QueryPairs | undefined> {
    return findQuery(this.database, { handle, collection: identityOf(request, collection) });
  }
}

/**
 * Returns the parameters that a handle stands for. They are sorted by name, so that equal queries are equal texts.
 */
export const storedPairs = (parameters: URLSearchParams, { pagingParameters }: PagedCollection): QueryPairs =>
  [...parameters]
    .filter(([name]) => !pagingParameters.includes(name) && name !== QUERY)
    .sort(([a], [b]) => (a < b ? -1 : Number(a > b)));

/**
 * Returns a text that identifies a collection by its resource and the ids in its path. The path itself does not
 * identify it, because a collection can have several paths.
 */
const identityOf = ({ params }: FastifyRequest, { resource }: PagedCollection): string =>
  JSON.stringify([resource.name, ...Object.entries<unknown>({ ...(params as object) }).flat()]);

const given = (pairs: QueryPairs, violations: readonly ProblemDetail[]): GivenParameters => ({
  parameters: toParameters(pairs),
  violations,
});

const conflictsOf = (pairs: QueryPairs, { resource, pagingParameters }: PagedCollection): readonly ProblemDetail[] =>
  [...new Set(pairs.map(([name]) => name))]
    .filter((name) => !pagingParameters.includes(name))
    .map((parameter) => ({
      resource: resource.name,
      path: '',
      parameter,
      code: 'invalid',
      info: message`cannot be combined with ${QUERY}, which stands for all parameters but ${pagingParameters}`,
    }));

const unknownHandle = (handle: string): ProblemDetail['info'] =>
  message`there is no stored query ${quote(handle)} of this collection, or it has expired: send its parameters again`;
