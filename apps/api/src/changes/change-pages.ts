import { setImmediate } from 'node:timers/promises';
import { ChangeLines, type ChangesPage, readChanges } from '@ats/domain';
import { message } from '@ats/message';
import { ConsumerLimitError, Database } from '@ats/postgres';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { type RequestContext } from '../request/request-context.js';
import { Problem } from '../vocabulary/problem.js';
import { type Bookmark } from './change-tokens.js';

/**
 * Maximum number of windows that one request reads. A window is a range of changes that one statement reads. When the
 * windows have no change of the requested resources, the client continues with the next token.
 */
const MAX_WINDOWS = 20;

/** Smallest page that is read ahead. With smaller pages, most of the time is spent on the requests, not on reading. */
const LEAST_AHEAD = 1_000;
/**
 * The number of pages that are read ahead in a chain. While the client receives one page, the API makes the JSON of the
 * next one, and PostgreSQL reads the one after it.
 */
const PAGES_AHEAD = 2;
/** Maximum number of pages that are kept for later requests. */
const MAX_AHEAD = 8;
/** Time in ms after which a page that was read ahead is dropped. */
const AHEAD_MS = 5_000;

/** A page of the feed. Its JSON is made once, when it is first needed. */
export class FeedPage {
  #items: readonly Buffer[] | undefined;

  constructor(readonly page: ChangesPage) {}

  /** The changes as JSON with commas between them, split into buffers. */
  get items(): readonly Buffer[] {
    this.#items ??= this.page.changes.toJson();
    return this.#items;
  }

  /** Returns the position from which the chain continues after the page. */
  endIn(start: Bookmark): Bookmark {
    return { ...start, position: this.page.position, mark: this.page.mark };
  }
}

/**
 * Reads pages of the feed. Requests of one credential that want the same page at the same time share one statement,
 * such as streams that the same change has woken. For a client that reads large pages, PostgreSQL reads the next pages
 * while the client receives the current one.
 */
@Injectable()
export class ChangePages {
  readonly #running = new Map<string, Promise<FeedPage>>();
  /** Maps the `nameOf` of a request to the page that was read ahead for it. */
  readonly #ahead = new LRUCache<string, Promise<FeedPage | undefined>>({
    max: MAX_AHEAD,
    ttl: AHEAD_MS,
    ttlAutopurge: true,
  });

  constructor(private readonly database: Database) {}

  /**
   * Reads the next changes of a chain.
   * @throws {Problem} 410 when changes after the bookmark are no longer stored
   */
  async read(start: Bookmark, limit: number, context: RequestContext): Promise<FeedPage> {
    const name = nameOf(start, limit, context);
    const ahead = await this.#ahead.get(name);
    this.#ahead.delete(name);
    // Reads the page again when the page that was read ahead is at the end of the feed. Changes may have been made
    // since.
    const found = ahead?.page.hasMore ? ahead : await this.#share(name, () => this.#read(start, limit, context));
    if (isLarge(found)) {
      void this.#readAhead(found.endIn(start), limit, context, PAGES_AHEAD);
      // Waits one turn of the event loop, so that the statement of the next page is sent before the JSON of this page
      // is made. PostgreSQL then works at the same time as this process.
      await setImmediate();
    }
    return found;
  }

  /** Reads the next pages of a chain one after the other. A page that another call is reading is not read twice. */
  async #readAhead(start: Bookmark, limit: number, context: RequestContext, pages: number): Promise<void> {
    const name = nameOf(start, limit, context);
    let reading = this.#ahead.get(name);
    if (!reading) {
      // Reads no page when the cache is full. The page would evict another page that a chain still needs.
      if (this.#ahead.size >= MAX_AHEAD) return;
      // Ignores the error. The request that needs the page reads it again, and reports its own error.
      reading = this.#read(start, limit, context).catch(() => undefined);
      this.#ahead.set(name, reading);
    }
    const found = await reading;
    if (!found || !isLarge(found)) return;
    if (pages > 1) void this.#readAhead(found.endIn(start), limit, context, pages - 1);
    // Makes the JSON now, so that the request for this page does not wait for it. Before that, waits one turn of the
    // event loop, so that the statement of the page after it is sent.
    await setImmediate();
    void found.items;
  }

  #share(name: string, read: () => Promise<FeedPage>): Promise<FeedPage> {
    const others = this.#running.get(name);
    // This request waits for the statement of an earlier request. If the client of that request disconnects, the
    // statement fails with `ConsumerLimitError`. This request then reads the page itself.
    if (others)
      return others.catch((error: unknown) => {
        if (error instanceof ConsumerLimitError) return read();
        throw error;
      });
    const running = read().finally(() => this.#running.delete(name));
    this.#running.set(name, running);
    return running;
  }

  async #read(start: Bookmark, limit: number, { settings, actor }: RequestContext): Promise<FeedPage> {
    const request = { ...start, limit, viewerId: actor.recruiterId };
    const none = new ChangeLines('', 0, settings.baseUrl);
    let page: ChangesPage = { changes: none, position: start.position, mark: start.mark, hasMore: true };
    for (let windows = 0; windows < MAX_WINDOWS && page.hasMore && page.changes.size === 0; windows++) {
      const { position, mark } = page;
      const next = await readChanges(this.database.reading, settings.baseUrl, { ...request, position, mark });
      if (!next) throw expired();
      page = next;
    }
    return new FeedPage(page);
  }
}

const isLarge = ({ page }: FeedPage): boolean => page.hasMore && page.changes.size >= LEAST_AHEAD;

/** Returns a text that identifies a page of the feed for one credential. */
function nameOf(start: Bookmark, limit: number, { actor, settings }: RequestContext): string {
  const { epoch, position, mark, since, resources } = start;
  return [actor.credentialId, settings.baseUrl, limit, epoch, position, mark, since?.getTime(), resources].join();
}

export const expired = (): Problem =>
  new Problem(
    410,
    message`The oldest changes that this request asks for are no longer stored. Start over: send ${'since=now'}, \
read all items again, then continue with the token of that answer.`,
  );
