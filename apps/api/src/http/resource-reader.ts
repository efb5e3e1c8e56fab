import { createHash } from 'node:crypto';
import { collectionStatements, Database, itemStatement, layoutKey, NotFoundError, type CollectionStatements, type ReadSettings, type Resource } from '@ats/domain';
import { linkHeader } from '@ats/pagination';
import { Injectable } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { CollectionParameters, tooComplex } from './collection-parameters.js';
import { publicUrl, queryOf } from './query.js';
import { type RequestContext, variantOf } from './request-context.js';

/** More than there are resources and languages: the rest is for layouts, which clients make. */
const REMEMBERED = 500;

/** Reads items and pages as JSON text that PostgreSQL has built; nothing is hydrated on the way. */
@Injectable()
export class ResourceReader {
  readonly #items = new LRUCache<string, string>({ max: REMEMBERED });
  readonly #collections = new LRUCache<string, CollectionStatements>({ max: REMEMBERED });

  constructor(
    private readonly database: Database,
    private readonly parameters: CollectionParameters,
  ) {}

  /** @throws {NotFoundError} when the collection has no such item */
  async item(resource: Resource, id: number, { settings }: { readonly settings: ReadSettings }, ownerId?: number): Promise<string> {
    const text = remembered(this.#items, readingKey(resource, settings), () => itemStatement(resource, settings));
    const [row] = await this.database.query<{ body: string }>(text, ownerId === undefined ? [id] : [id, ownerId]);
    if (!row) throw new NotFoundError(resource.type.name, id);
    return row.body;
  }

  /**
   * One page, with `Link` and `X-Total-Count` on the reply.
   * @throws {Problem} 400 for parameters that are unknown or wrong, or ask for too much; 403 for those that read what the
   * credential may not
   */
  async page(
    resource: Resource,
    request: FastifyRequest,
    reply: FastifyReply,
    context: RequestContext,
    ownerId?: number,
  ): Promise<string> {
    const { page, perPage, query, settings } = await this.parameters.read(resource, queryOf(request), context);
    const statements = remembered(this.#collections, readingKey(resource, settings), () => collectionStatements(resource, settings));
    const which = { query, ...(ownerId !== undefined && { ownerId }) };
    const pageStatement = statements.page({ ...which, limit: perPage, offset: (page - 1) * perPage });
    const countStatement = statements.count(which);
    const [[row], [count]] = await Promise.all([
      this.database.query<{ body: string }>(pageStatement.text, pageStatement.parameters),
      this.database.query<{ total: number }>(countStatement.text, countStatement.parameters),
    ]).catch((error: unknown) => {
      throw tooComplex(error, resource) ?? error;
    });
    const total = count?.total ?? 0;
    void reply.headers({ link: linkHeader({ url: publicUrl(request, settings.baseUrl), page, perPage, total }), 'x-total-count': String(total) });
    return row?.body ?? '[]';
  }
}

/** What the text of a statement depends on, beside the request. */
const readingKey = ({ name }: Resource, { language, layout }: ReadSettings): string => `${name} ${language} ${layout ? layoutKey(layout) : ''}`;

function remembered<T extends NonNullable<unknown>>(known: LRUCache<string, T>, key: string, make: () => T): T {
  const value = known.get(key) ?? make();
  known.set(key, value);
  return value;
}

/** Changes with every byte of the representation, and with its version and language. */
export const entityTag = (body: string, variant: string): string =>
  `"${createHash('sha256').update(`${variant}\n${body}`).digest('base64url').slice(0, 27)}"`;

/** Sends an item with its `ETag`, or 304 when the client has it already. */
export function sendItem(request: FastifyRequest, reply: FastifyReply, body: string): void {
  const tag = entityTag(body, request.context ? variantOf(request.context) : '');
  void reply.headers({ etag: tag, 'content-type': 'application/json; charset=utf-8' });
  const known = request.method === 'GET' || request.method === 'HEAD' ? request.headers['if-none-match'] : undefined;
  if (known && matchesTag(known, tag)) void reply.status(304).send();
  else void reply.send(body);
}

/** `If-None-Match` and `If-Match` (RFC 9110 13.1): `*` or a list of tags; weak ones count as the strong one they stand for. */
export const matchesTag = (header: string, tag: string): boolean =>
  header.trim() === '*' || header.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === tag);
