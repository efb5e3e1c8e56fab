import { type StoredQuery } from '@ats/domain';
import { linkHeader } from '@ats/pagination';
import { Injectable } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { publicUrl } from '../request/query.js';
import { type GivenParameters, isPageByBody, QUERY_PATH, toParameters } from './given-parameters.js';
import { STORED_QUERY_PARAMETER } from './page-parameters.js';
import { type PagedCollection, StoredQueries, storedPairs } from './stored-queries.js';

/**
 * Longest query string of a link in bytes. A longer one is stored, and links contain its handle.
 * Source: docs/reference/paging.md, "Long queries".
 */
const MAX_QUERY_BYTES = 1_500;
/**
 * Longest `Link` header in bytes. It has room for four links with the longest query string, and keeps all headers of an
 * answer below 8 KiB.
 */
const MAX_LINK_BYTES = 6_800;

/** The page of a collection to which the links belong. */
export interface ShownPage {
  readonly page: number;
  readonly perPage: number;
  readonly total?: number | undefined;
  readonly hasNext?: boolean;
  /** Makes the cursor of the next page. The cursor is valid only for requests with these parameters. */
  readonly seal?: (parameters: URLSearchParams) => string | undefined;
}

export interface LinkedQuery {
  readonly collection: PagedCollection;
  readonly given: GivenParameters;
  /** The parsed conditions of the parameters. */
  readonly condition: StoredQuery['condition'];
  readonly baseUrl: string;
}

/** Writes the `Link` header of a page. Source: docs/reference/paging.md, "Link header". */
@Injectable()
export class PageLinks {
  constructor(private readonly queries: StoredQueries) {}

  async header(request: FastifyRequest, query: LinkedQuery, shown: ShownPage): Promise<string> {
    return spelledOut(request, query, shown) ?? (await this.#byHandle(request, query, shown));
  }

  async #byHandle(
    request: FastifyRequest,
    { collection, given, condition, baseUrl }: LinkedQuery,
    shown: ShownPage,
  ): Promise<string> {
    const { parameters } = given;
    const handle = given.handle ?? (await this.queries.keep(request, collection, { parameters, condition }));
    const paging = [...parameters].filter(([name]) => collection.pagingParameters.includes(name));
    const { name } = STORED_QUERY_PARAMETER;
    const search = toParameters([...(handle === undefined ? [] : [[name, handle] as const]), ...paging]);
    const url = `${baseUrl}${pathOf(request)}${search.size > 0 ? `?${search.toString()}` : ''}`;
    // A cursor is valid for one order of the parameters only. A request with the handle has first the stored
    // parameters, then the parameters that choose the page.
    const ordered = toParameters([...storedPairs(parameters, collection), ...paging]);
    const after = shown.seal?.(ordered);
    const header = linkHeader({ ...shown, url, after });
    return header.length <= MAX_LINK_BYTES ? header : linkHeader({ ...shown, url });
  }
}

/**
 * Returns the links that repeat the query of the URL. Undefined when the query is too long or was not sent in the URL.
 */
function spelledOut(
  request: FastifyRequest,
  { given, baseUrl }: LinkedQuery,
  { seal, ...shown }: ShownPage,
): string | undefined {
  if (given.handle !== undefined || isPageByBody(request)) return undefined;
  const queryAt = request.url.indexOf('?');
  if (queryAt !== -1 && request.url.length - queryAt - 1 > MAX_QUERY_BYTES) return undefined;
  const header = linkHeader({ ...shown, url: publicUrl(request, baseUrl), after: seal?.(given.parameters) });
  return header.length <= MAX_LINK_BYTES ? header : undefined;
}

/** Returns the path of the collection, made from the path of the route. */
function pathOf(request: FastifyRequest): string {
  const parameters = request.params as Readonly<Record<string, unknown>>;
  const path = (request.routeOptions.url ?? '').replaceAll(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String(parameters[name])),
  );
  return isPageByBody(request) ? path.slice(0, -`/${QUERY_PATH}`.length) : path;
}
