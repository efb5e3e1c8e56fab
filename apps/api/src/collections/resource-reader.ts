import {
  collectionStatements,
  existenceStatement,
  itemStatement,
  layoutKey,
  layoutShowsPersonalData,
  NotFoundError,
  type Page,
  PlanChoice,
  reachesLimitedValues,
  readPage,
  type CollectionStatements,
  type ReadSettings,
  type Resource,
  showsPersonalData,
} from '@ats/domain';
import { Database, prepared } from '@ats/postgres';
import { Injectable } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { LRUCache } from 'lru-cache';
import { AuditLog } from '../audit/audit-log.js';
import { type RequestContext } from '../request/request-context.js';
import {
  CollectionParameters,
  type CollectionRead,
  type CollectionOptions,
  pagingParametersOf,
  tooComplex,
} from './collection-parameters.js';
import { type CountRequest } from './count-cache.js';
import { PageCursors } from './page-cursors.js';
import { PageLinks } from './page-links.js';
import { type PageServer, PageServers } from './page-servers.js';
import { StoredQueries } from './stored-queries.js';

/**
 * Maximum number of cached statements. It is enough for every resource in every language, and for the layouts that
 * clients create.
 */
const MAX_CACHED_STATEMENTS = 500;

/** Reads items and pages as JSON text that PostgreSQL builds. The reader never turns rows into objects. */
@Injectable()
export class ResourceReader {
  readonly #items = new LRUCache<string, ReturnType<typeof prepared>>({ max: MAX_CACHED_STATEMENTS });
  readonly #collections = new LRUCache<string, CollectionStatements>({ max: MAX_CACHED_STATEMENTS });
  readonly #choice = new PlanChoice();

  constructor(
    private readonly database: Database,
    private readonly parameters: CollectionParameters,
    private readonly cursors: PageCursors,
    private readonly servers: PageServers,
    private readonly queries: StoredQueries,
    private readonly links: PageLinks,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Reads one item as JSON text.
   * @param settings  the representation; defaults to the settings of the context
   * @throws {NotFoundError} when the collection has no such item
   */
  async item(
    resource: Resource,
    id: number,
    context: RequestContext,
    {
      settings = context.settings,
      ownerId,
    }: { readonly settings?: ReadSettings; readonly ownerId?: number | undefined } = {},
  ): Promise<string> {
    const statement = cached(this.#items, readingKey(resource, settings), () =>
      prepared(itemStatement(resource, settings)),
    );
    const [row] = await this.database.reading.query<{ body: string }>({
      ...statement,
      parameters: ownerId === undefined ? [id] : [id, ownerId],
    });
    if (!row) throw new NotFoundError(resource.type.name, id);
    // Adds an audit entry when only the layout shows personal data. When all items of a collection show personal data,
    // the route adds the entry.
    if (settings.layout && !showsPersonalData(resource) && layoutShowsPersonalData(resource, settings.layout))
      this.audit.personalDataRead(context, { collection: resource.name, itemIds: `{${id}}`, itemCount: 1 });
    return row.body;
  }

  /**
   * Checks that an item exists, at less cost than `item`. @throws {NotFoundError} when the collection has no such item
   */
  async mustExist(resource: Resource, id: number, ownerId?: number): Promise<void> {
    const statement = cached(this.#items, `${resource.name} exists`, () => prepared(existenceStatement(resource)));
    const parameters = ownerId === undefined ? [id] : [id, ownerId];
    const rows = await this.database.reading.query({ ...statement, parameters });
    if (rows.length === 0) throw new NotFoundError(resource.type.name, id);
  }

  /**
   * Reads one page as JSON in UTF-8, and sets `Link` and `X-Total-Count` on the reply.
   * @throws {Problem} 400 when parameters are unknown or invalid, or the query is too complex; 403 when the credential
   *   lacks a scope that a parameter needs
   */
  async page(
    resource: Resource,
    reply: FastifyReply,
    context: RequestContext,
    of: CollectionOptions = {},
  ): Promise<Buffer> {
    const { request } = reply;
    const { ownerId, filter } = of;
    const collection = { resource, pagingParameters: pagingParametersOf(of) };
    const given = await this.queries.read(request, collection);
    const asked = await this.parameters.read(resource, given, context, of);
    const since = performance.now();
    const { credentialId } = context.actor;
    const server = of.readsPrimary?.(given.parameters)
      ? this.servers.primary
      : await this.servers.serverFor(credentialId);
    const found = await this.#read(resource, asked, { ownerId, server });
    const { layout } = asked.settings;
    if (showsPersonalData(resource) || (layout && layoutShowsPersonalData(resource, layout)))
      this.audit.personalDataRead(context, {
        collection: resource.name,
        itemIds: found.ids,
        itemCount: found.size,
        queryDigest: this.queries.digest(collection, given.parameters),
      });
    const total = await this.#total(asked, found, { since, credentialId, server });
    const { page, perPage } = asked;
    const query = { resource, context, ownerId, cursorScope: filter?.cursorScope, order: asked.query.sort };
    const link = await this.links.header(
      request,
      { collection, given, condition: asked.query.condition, baseUrl: asked.settings.baseUrl },
      {
        page,
        perPage,
        total,
        hasNext: found.hasMore,
        seal: (parameters) =>
          found.hasMore && found.end ? this.cursors.seal(found.end, { ...query, parameters }, page + 1) : undefined,
      },
    );
    void reply.header('link', link);
    if (total !== undefined) void reply.header('x-total-count', String(total));
    return withFurther(found.body, asked.settings, of);
  }

  /** Returns the compiled statements of a collection. */
  statementsOf(resource: Resource, settings: ReadSettings): CollectionStatements {
    return cached(this.#collections, readingKey(resource, settings), () => collectionStatements(resource, settings));
  }

  async #read(
    resource: Resource,
    { page, perPage, settings, ...asked }: CollectionRead,
    { ownerId, server }: { readonly ownerId: number | undefined; readonly server: PageServer },
  ): Promise<Page> {
    const statements = this.statementsOf(resource, settings);
    const start = asked.after ? { after: asked.after } : { offset: (page - 1) * perPage };
    const request = { ...asked, ...start, limit: perPage, ...(ownerId !== undefined && { ownerId }) };
    try {
      return await readPage(server.reading, { statements, choice: this.#choice }, request);
    } catch (error) {
      throw tooComplex(error, resource) ?? error;
    }
  }

  /**
   * Returns the total number of items. On the last page it is the sum of the offset and the size of the page. Other
   * pages, and pages with a cursor, which have no offset, take it from the count cache.
   */
  async #total(
    { page, perPage, after }: CollectionRead,
    found: Page,
    { server, ...who }: Pick<CountRequest, 'since' | 'credentialId'> & { readonly server: PageServer },
  ): Promise<number | undefined> {
    if (!after && !found.hasMore && (found.size > 0 || page === 1)) return (page - 1) * perPage + found.size;
    return server.counts.count({
      ...who,
      key: found.countKey,
      snapshot: found.snapshot,
      run: () => found.count(server.counting),
    });
  }
}

/** Adds the further properties of a collection to a page, if `fields` is absent or names one of them. */
const withFurther = async (
  page: Buffer,
  { fields }: ReadSettings,
  { further }: Pick<CollectionOptions, 'further'>,
): Promise<Buffer> =>
  further && (!fields || further.names.some((name) => fields.has(name))) ? further.add(page) : page;

/** Returns the cache key of a statement. It contains all values on which the text of the statement depends. */
const readingKey = (
  { name, type }: Resource,
  { language, layout, readable, richText, fields }: ReadSettings,
): string => {
  const scopes = readable && reachesLimitedValues(type) ? ` ${readable.join()}` : '';
  const limits = fields ? ` fields ${[...fields].join()}` : '';
  return `${name} ${language} ${richText ?? ''} ${layout ? layoutKey(layout) : ''}${scopes}${limits}`;
};

function cached<T extends NonNullable<unknown>>(known: LRUCache<string, T>, key: string, make: () => T): T {
  const value = known.get(key) ?? make();
  known.set(key, value);
  return value;
}
