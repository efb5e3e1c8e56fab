import { createHash } from 'node:crypto';
import { countStatement, Database, itemStatement, NotFoundError, pageStatement, type Resource } from '@ats/domain';
import { linkHeader, parsePageParameters } from '@ats/pagination';
import { Injectable } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { faultyQuery, publicUrl, queryOf, unknownParameters } from './query.js';
import { type RequestContext, variantOf } from './request-context.js';

const COLLECTION_PARAMETERS = ['page', 'per_page'];

/** Reads items and pages as JSON text that PostgreSQL has built; nothing is hydrated on the way. */
@Injectable()
export class ResourceReader {
  readonly #statements = new Map<string, string>();

  constructor(private readonly database: Database) {}

  /** @throws {NotFoundError} when the collection has no such item */
  async item(resource: Resource, id: number, { settings }: RequestContext, ownerId?: number): Promise<string> {
    const text = this.#statement(`item ${resource.name} ${settings.language}`, () => itemStatement(resource, settings));
    const [row] = await this.database.query<{ body: string }>(text, ownerId === undefined ? [id] : [id, ownerId]);
    if (!row) throw new NotFoundError(resource.type.name, id);
    return row.body;
  }

  /** One page, with `Link` and `X-Total-Count` on the reply. @throws {Problem} 400 for parameters that are unknown or wrong */
  async page(
    resource: Resource,
    request: FastifyRequest,
    reply: FastifyReply,
    { settings }: RequestContext,
    ownerId?: number,
  ): Promise<string> {
    const query = queryOf(request);
    const faults = unknownParameters(resource.name, query, COLLECTION_PARAMETERS);
    const parameters = parsePageParameters(query);
    if (parameters.faults) faults.push(...parameters.faults.map((fault) => ({ resource: resource.name, path: '', ...fault })));
    if (parameters.faults || faults.length > 0) throw faultyQuery(faults);
    const { page, perPage } = parameters;
    const pageText = this.#statement(`page ${resource.name} ${settings.language}`, () => pageStatement(resource, settings));
    const countText = this.#statement(`count ${resource.name}`, () => countStatement(resource));
    const owner = ownerId === undefined ? [] : [ownerId];
    const [[row], [count]] = await Promise.all([
      this.database.query<{ body: string }>(pageText, [perPage, (page - 1) * perPage, ...owner]),
      this.database.query<{ total: number }>(countText, owner),
    ]);
    const total = count?.total ?? 0;
    void reply.headers({ link: linkHeader({ url: publicUrl(request, settings.baseUrl), page, perPage, total }), 'x-total-count': String(total) });
    return row?.body ?? '[]';
  }

  #statement(key: string, make: () => string): string {
    const text = this.#statements.get(key) ?? make();
    this.#statements.set(key, text);
    return text;
  }
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
