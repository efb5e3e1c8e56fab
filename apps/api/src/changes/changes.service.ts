import {
  type ChangesPage,
  findPosition,
  findResource,
  followedResources,
  readChanges,
  readFeedState,
  type Resource,
  type ShownChange,
} from '@ats/domain';
import { message } from '@ats/message';
import { Database } from '@ats/postgres';
import { Injectable } from '@nestjs/common';
import { type StreamPart } from '../feeds/event-stream.js';
import { type WaitingClient } from '../feeds/waiting-client.js';
import { type RequestContext } from '../request/request-context.js';
import { Problem } from '../vocabulary/problem.js';
import { allows, checkScope, type Scope } from '../vocabulary/scopes.js';
import { ChangePublisher } from './change-publisher.js';
import { type Bookmark, ChangeTokens } from './change-tokens.js';
import { ChangeWatch } from './change-watch.js';
import { type ChangesQuery, isBookmark } from './changes-parameters.js';

export interface ChangesAnswer {
  readonly items: readonly ShownChange[];
  readonly next: string;
  readonly has_more: boolean;
}

/**
 * Maximum number of windows that one request reads without finding a change of its resources. The client then continues
 * with the next token.
 */
const MAX_WINDOWS = 20;

const scopeOf = ({ scope }: Resource): Scope => `${scope}:read`;

/**
 * A request without any of these scopes is refused. Otherwise an empty answer would look like a feed without changes.
 */
export const CHANGES_SCOPES = [...new Set(followedResources().map(scopeOf))] as [Scope, ...Scope[]];

/** Reads the changes feed. Source: docs/reference/changes.md. */
@Injectable()
export class ChangesService {
  constructor(
    private readonly database: Database,
    private readonly publisher: ChangePublisher,
    private readonly tokens: ChangeTokens,
    private readonly watch: ChangeWatch,
  ) {}

  /**
   * Reads the next changes, and waits for one if the request says so.
   * @throws {Problem} 401 when the credential ends meanwhile, 403 without the read scope of a resource, 410 when
   *   changes are no longer stored, 429 when too many requests of the credential wait
   */
  async read(query: ChangesQuery, context: RequestContext, client: WaitingClient): Promise<ChangesAnswer> {
    const start = await this.#start(query, context);
    const page = await this.#waited(start, query, context, client);
    return {
      items: page.changes.map(withoutPosition),
      next: this.tokens.seal(after(start, page)),
      has_more: page.hasMore,
    };
  }

  /**
   * Reads changes until the client closes the connection or the process ends. The first part comes at once. Each
   * further part contains the changes since the part before, and is empty after `waitSeconds` without a change.
   * @throws {Problem} as {@link read}; before the first part when the query is invalid
   */
  async *follow(query: ChangesQuery, context: RequestContext, client: WaitingClient): AsyncGenerator<StreamPart> {
    let start = await this.#start(query, context);
    for (let waitSeconds = 0; !client.gone.aborted && !this.watch.isEnding; waitSeconds = query.waitSeconds) {
      const page = await this.#waited(start, { ...query, waitSeconds }, context, client);
      const { changes } = page;
      const events = changes.map((change, index) => {
        const hasMore = page.hasMore || index < changes.length - 1;
        return {
          id: this.tokens.seal(after(start, { position: change.position, hasMore })),
          event: 'change',
          data: JSON.stringify(withoutPosition(change)),
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
  ): Promise<ChangesPage> {
    const { gone } = client;
    const deadline = performance.now() + query.waitSeconds * 1_000;
    let page = await this.#page(start, query.limit, context);
    for (;;) {
      const leftMs = Math.ceil(deadline - performance.now());
      if (page.changes.length > 0 || page.hasMore || leftMs <= 0 || gone.aborted || this.watch.isEnding) break;
      client.release();
      const signal = AbortSignal.any([gone, AbortSignal.timeout(leftMs)]);
      await this.watch.wait({ ...start, position: page.position, credentialId: context.actor.credentialId }, signal);
      await client.check();
      page = await this.#page({ ...start, position: page.position }, query.limit, context);
    }
    return page;
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
    const { epoch, first, last } = await readFeedState(this.database.reading);
    if (isBookmark(since)) {
      if (since.epoch !== epoch || since.position < first) throw expired();
      return since;
    }
    if (since === 'now') return { epoch, position: last, resources: wanted };
    const position = await findPosition(this.database.reading, since);
    if (position === undefined) throw expired();
    return { epoch, position, since, resources: wanted };
  }

  async #page(
    { position, since, resources }: Bookmark,
    limit: number,
    { settings, actor }: RequestContext,
  ): Promise<ChangesPage> {
    const request = { since, resources, limit, viewerId: actor.recruiterId };
    let page: ChangesPage = { changes: [], position, hasMore: true };
    for (let windows = 0; windows < MAX_WINDOWS && page.hasMore && page.changes.length === 0; windows++)
      page = await readChanges(this.database.reading, settings.baseUrl, { ...request, position: page.position });
    return page;
  }
}

/** The position after a page. After the last change of the feed, `since` has no meaning any more. */
const after = (start: Bookmark, { position, hasMore }: Pick<ChangesPage, 'position' | 'hasMore'>): Bookmark => ({
  ...start,
  position,
  since: hasMore ? start.since : undefined,
});

const withoutPosition = ({ resource, id, uuid, url, change, dt }: ShownChange): ShownChange => ({
  resource,
  id,
  uuid,
  url,
  change,
  dt,
});

const expired = (): Problem =>
  new Problem(
    410,
    message`Changes since then are no longer stored. Start over: send ${'since=now'}, read all items again, \
then continue with the token of that answer.`,
  );
