import { type ChangesPage, readChanges } from '@ats/domain';
import { message } from '@ats/message';
import { ConsumerLimitError, Database } from '@ats/postgres';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { type RequestContext } from '../request/request-context.js';
import { Problem } from '../vocabulary/problem.js';
import { type Bookmark } from './change-tokens.js';

/**
 * Maximum number of windows that one request reads without finding a change of its resources. The client then continues
 * with the next token.
 */
const MAX_WINDOWS = 20;

/**
 * Smallest page that is read ahead. For smaller pages, most of the time is spent on the requests and not on reading.
 */
const LEAST_AHEAD = 1_000;
/** Maximum number of pages that are kept for the next request of their chains, and their storage period in ms. */
const MAX_AHEAD = 8;
const AHEAD_MS = 5_000;

/**
 * Reads pages of the feed. Requests of one credential that want the same page at the same time share one statement,
 * such as streams that the same change has woken. For a client that reads large pages, PostgreSQL reads the next page
 * while the client receives the current one.
 */
@Injectable()
export class ChangePages {
  readonly #running = new Map<string, Promise<ChangesPage>>();
  /** Pages that were read ahead, by the name of their request. */
  readonly #ahead = new LRUCache<string, Promise<ChangesPage | undefined>>({
    max: MAX_AHEAD,
    ttl: AHEAD_MS,
    ttlAutopurge: true,
  });

  constructor(private readonly database: Database) {}

  /**
   * Reads the next changes of a chain.
   * @throws {Problem} 410 when changes after the bookmark are no longer stored
   */
  async read(start: Bookmark, limit: number, context: RequestContext): Promise<ChangesPage> {
    const name = nameOf(start, limit, context);
    const ahead = await this.#ahead.get(name);
    this.#ahead.delete(name);
    // A page at the end of the feed is not used, because it may lack changes that were made since it was read ahead.
    const page = ahead?.hasMore ? ahead : await this.#share(name, () => this.#read(start, limit, context));
    if (page.hasMore && page.changes.length >= LEAST_AHEAD)
      this.#readAhead({ ...start, position: page.position, mark: page.mark }, limit, context);
    return page;
  }

  #readAhead(start: Bookmark, limit: number, context: RequestContext): void {
    const name = nameOf(start, limit, context);
    if (this.#ahead.has(name)) return;
    this.#ahead.set(
      name,
      // The request for the page repeats the read and reports the error.
      this.#read(start, limit, context).catch(() => undefined),
    );
  }

  #share(name: string, read: () => Promise<ChangesPage>): Promise<ChangesPage> {
    const others = this.#running.get(name);
    // This request shares the statement of an earlier request. The statement fails with `ConsumerLimitError`, for
    // example, when the client of the earlier request disconnects. This request then reads the page itself.
    if (others)
      return others.catch((error: unknown) => {
        if (error instanceof ConsumerLimitError) return read();
        throw error;
      });
    const running = read().finally(() => this.#running.delete(name));
    this.#running.set(name, running);
    return running;
  }

  async #read(start: Bookmark, limit: number, { settings, actor }: RequestContext): Promise<ChangesPage> {
    const request = { ...start, limit, viewerId: actor.recruiterId };
    let page: ChangesPage = { changes: [], position: start.position, mark: start.mark, hasMore: true };
    for (let windows = 0; windows < MAX_WINDOWS && page.hasMore && page.changes.length === 0; windows++) {
      const { position, mark } = page;
      const next = await readChanges(this.database.reading, settings.baseUrl, { ...request, position, mark });
      if (!next) throw expired();
      page = next;
    }
    return page;
  }
}

/** Returns a text that identifies a page of a credential. */
function nameOf(start: Bookmark, limit: number, { actor, settings }: RequestContext): string {
  const { epoch, position, mark, since, resources } = start;
  return [actor.credentialId, settings.baseUrl, limit, epoch, position, mark, since?.getTime(), resources].join();
}

export const expired = (): Problem =>
  new Problem(
    410,
    message`Changes since then are no longer stored. Start over: send ${'since=now'}, read all items again, \
then continue with the token of that answer.`,
  );
