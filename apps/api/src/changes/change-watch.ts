import { type FeedPosition, type FeedState, readNews } from '@ats/domain';
import { Database } from '@ats/postgres';
import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { type Outcome, Waiters, type Wanted } from '../feeds/waiters.js';
import { Draining } from '../request/draining.js';
import { ChangePublisher } from './change-publisher.js';

/** Longest time in ms between the commit of a change and the answer to a client that waits for it. */
const LOOK_MS = 200;

/** A request that waits for changes after a position. */
export interface WantedChanges extends Wanted, FeedState {
  readonly resources: readonly string[];
}

/** The reason why a request stopped waiting, and the position from which it continues. */
export interface Waited extends FeedPosition {
  readonly outcome: Outcome;
}

/**
 * Wakes the requests that wait for a change. One statement looks for changes on behalf of all of them, so a waiting
 * request holds no connection and costs the database nothing.
 */
@Injectable()
export class ChangeWatch implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #logger = new Logger('changes');
  readonly #waiters = new Waiters<WantedChanges>();
  /** The watch has compared all changes up to this position with the waiting requests. */
  #seen: FeedState | undefined;
  /** The value that `#seen` had before the waiting requests were last woken. */
  #seenBefore: FeedState | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;

  constructor(
    private readonly database: Database,
    private readonly publisher: ChangePublisher,
    private readonly draining: Draining,
  ) {}

  /**
   * Starts the timer when the app starts, and not in a request. Otherwise the statements of the timer would count
   * against the connections of that request's credential.
   */
  onApplicationBootstrap(): void {
    this.#timer = setInterval(() => void this.#look(), LOOK_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.#timer);
  }

  /** True while the process shuts down. Requests then no longer wait. */
  get isEnding(): boolean {
    return this.draining.isOn;
  }

  /**
   * Resolves when one of the resources has a change after the position, when the process ends, when the signal aborts,
   * or after `forMs`. It may also resolve early.
   * @throws {Problem} 429 when too many requests of the credential wait
   */
  async wait(wanted: WantedChanges, signal: AbortSignal, forMs: number): Promise<Waited> {
    const { position, mark, epoch } = wanted;
    if (signal.aborted || this.isEnding) return { position, mark, outcome: 'aborted' };
    if (this.#waiters.size === 0) this.#seen = { position, mark, epoch };
    if (this.#seen && this.#seen.position > position) return { position, mark, outcome: 'woken' };
    const outcome = await this.#waiters.wait(wanted, signal, forMs);
    const seen = outcome === 'woken' ? this.#seenBefore : this.#seen;
    const place = seen && seen.epoch === epoch && seen.position > position ? seen : wanted;
    return { position: place.position, mark: place.mark, outcome };
  }

  async #look(): Promise<void> {
    if (this.#waiters.size === 0 || this.#isLooking) return;
    if (this.isEnding) return this.#waiters.wake(() => true);
    this.#isLooking = true;
    try {
      await this.publisher.flush();
      const seen = this.#seen;
      if (!seen) return;
      const news = await readNews(this.database.reading, seen);
      // Drops the result when all waiting requests were answered during the read. New requests wait from another
      // position.
      if (this.#seen !== seen) return;
      this.#seenBefore = news && seen;
      this.#seen = news?.state;
      this.#waiters.wake(({ resources }) => !news || resources.some((name) => news.resources.has(name)));
    } catch (error) {
      this.#logger.debug(`the query for new entries of the changes feed failed: ${String(error)}`);
    } finally {
      this.#isLooking = false;
    }
  }
}
