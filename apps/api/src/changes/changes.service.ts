import {
  type ChangesPage,
  findPosition,
  findResource,
  followedResources,
  readFeedState,
  type Resource,
} from '@ats/domain';
import { message } from '@ats/message';
import { Database } from '@ats/postgres';
import { Injectable } from '@nestjs/common';
import { type StreamPart } from '../feeds/event-stream.js';
import { type WaitingClient } from '../feeds/waiting-client.js';
import { type RequestContext } from '../request/request-context.js';
import { allows, checkScope, type Scope } from '../vocabulary/scopes.js';
import { ChangePages, expired, FeedPage } from './change-pages.js';
import { ChangePublisher } from './change-publisher.js';
import { type Bookmark, ChangeTokens } from './change-tokens.js';
import { ChangeWatch } from './change-watch.js';
import { type ChangesQuery, isBookmark } from './changes-parameters.js';

const scopeOf = ({ scope }: Resource): Scope => `${scope}:read`;

/**
 * All scopes that read a resource of the feed. A request of a credential without any of them is refused, because an
 * empty answer would look like a feed without changes.
 */
export const CHANGES_SCOPES = [...new Set(followedResources().map(scopeOf))] as [Scope, ...Scope[]];

/** The JSON text of an answer before its list of changes. */
const ITEMS = Buffer.from('{"items":[');

/** Reads the changes feed. Source: docs/reference/changes.md. */
@Injectable()
export class ChangesService {
  constructor(
    private readonly database: Database,
    private readonly publisher: ChangePublisher,
    private readonly tokens: ChangeTokens,
    private readonly watch: ChangeWatch,
    private readonly pages: ChangePages,
  ) {}

  /**
   * Reads the next changes, and waits for one if the request says so.
   * @returns the answer as JSON
   * @throws {Problem} 401 when the credential ends meanwhile, 403 without the read scope of a resource, 410 when
   *   changes are no longer stored, 429 when too many requests of the credential wait
   */
  async read(query: ChangesQuery, context: RequestContext, client: WaitingClient): Promise<Buffer> {
    const start = await this.#start(query, context);
    const { items, page } = await this.#waited(start, query, context, client);
    const end = `],"next":"${this.tokens.seal(after(start, page))}","has_more":${page.hasMore}}`;
    return Buffer.concat([ITEMS, ...items, Buffer.from(end)]);
  }

  /**
   * Reads changes until the client closes the connection or the process ends. The first part comes at once. Each
   * further part contains the changes since the part before, and is empty after `waitSeconds` without a change.
   * @throws {Problem} as {@link read}; before the first part when the query is invalid
   */
  async *follow(query: ChangesQuery, context: RequestContext, client: WaitingClient): AsyncGenerator<StreamPart> {
    let start = await this.#start(query, context);
    for (let waitSeconds = 0; !client.gone.aborted && !this.watch.isEnding; waitSeconds = query.waitSeconds) {
      const { page } = await this.#waited(start, { ...query, waitSeconds }, context, client);
      const changes = page.changes.toChanges();
      const events = changes.map((change, index) => {
        const hasMore = page.hasMore || index < changes.length - 1;
        return {
          id: this.tokens.seal(after(start, { position: change.position, mark: change.mark, hasMore })),
          event: 'change',
          data: change.json,
        };
      });
      start = after(start, page);
      yield { events, id: this.tokens.seal(start) };
      await client.check();
    }
  }

  /** Reads the next changes of a chain, and waits for one up to `waitSeconds`. */
  async #waited(
    start: Bookmark,
    query: ChangesQuery,
    context: RequestContext,
    client: WaitingClient,
  ): Promise<FeedPage> {
    const { gone } = client;
    const { credentialId } = context.actor;
    const deadline = performance.now() + query.waitSeconds * 1_000;
    let found = await this.pages.read(start, query.limit, context);
    for (;;) {
      const { page } = found;
      const leftMs = Math.ceil(deadline - performance.now());
      if (page.changes.size > 0 || page.hasMore || leftMs <= 0 || gone.aborted || this.watch.isEnding) return found;
      client.release();
      const { position, mark } = page;
      const waited = await this.watch.wait({ ...start, position, mark, credentialId }, gone, leftMs);
      await client.check();
      const place = { position: waited.position, mark: waited.mark };
      if (waited.outcome !== 'woken') return new FeedPage({ ...page, ...place });
      found = await this.pages.read({ ...start, ...place }, query.limit, context);
    }
  }

  async #start({ since, resources }: ChangesQuery, { actor }: RequestContext): Promise<Bookmark> {
    const readable = followedResources().filter((resource) => allows(actor.scopes, scopeOf(resource)));
    const wanted = isBookmark(since) ? since.resources : (resources ?? readable.map(({ name }) => name));
    for (const name of wanted) {
      const resource = findResource(name);
      if (!resource || resource.isLog) throw expired();
      const scope = scopeOf(resource);
      const refusal = message`The credential lacks the scope ${scope}, which changes of ${name} need`;
      checkScope(actor.scopes, scope, refusal);
    }
    await this.publisher.flush();
    if (isBookmark(since)) return since;
    const { reading } = this.database;
    const place = since === 'now' ? await readFeedState(reading) : await findPosition(reading, since);
    if (!place) throw expired();
    return { ...place, since: since === 'now' ? undefined : since, resources: wanted };
  }
}

/**
 * Returns the position after a page. At the end of the feed, drops the start time `since`, because all later changes
 * are newer.
 */
const after = (start: Bookmark, { position, mark, hasMore }: Omit<ChangesPage, 'changes'>): Bookmark => ({
  ...start,
  position,
  mark,
  since: hasMore ? start.since : undefined,
});
