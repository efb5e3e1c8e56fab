import { changedResources, readFeedState } from '@ats/domain';
import { Database } from '@ats/postgres';
import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Waiters, type Wanted } from '../feeds/waiters.js';
import { Draining } from '../request/draining.js';
import { ChangePublisher } from './change-publisher.js';

/** Longest time in ms between a commit and the answer to a client that waits for it. */
const LOOK_MS = 200;

/** A request that waits for changes. */
export interface WantedChanges extends Wanted {
  /** The request waits for changes after this position. */
  readonly position: number;
  readonly resources: readonly string[];
}

/**
 * Wakes the requests that wait for a change. One statement looks for changes on behalf of all of them, so a waiting
 * request holds no connection.
 */
@Injectable()
export class ChangeWatch implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #logger = new Logger('changes');
  readonly #waiters = new Waiters<WantedChanges>();
  /** All requests that wait for changes up to this position were woken. */
  #position = 0;
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;

  constructor(
    private readonly database: Database,
    private readonly publisher: ChangePublisher,
    private readonly draining: Draining,
  ) {}

  /**
   * The timer starts here and not in a request. Otherwise its statements would count against the connections of that
   * request's credential.
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
   * Resolves when one of the resources has a change after the position, when the process ends, or when the signal
   * aborts. It may also resolve early.
   * @throws {Problem} 429 when too many requests of the credential wait
   */
  async wait(wanted: WantedChanges, signal: AbortSignal): Promise<void> {
    const { position } = wanted;
    if (this.#waiters.size > 0 && this.#position > position) return;
    if (signal.aborted || this.isEnding) return;
    if (this.#waiters.size === 0) this.#position = position;
    await this.#waiters.wait(wanted, signal);
  }

  async #look(): Promise<void> {
    if (this.#waiters.size === 0 || this.#isLooking) return;
    if (this.isEnding) return this.#waiters.wake(() => true);
    this.#isLooking = true;
    try {
      await this.publisher.flush();
      const { last } = await readFeedState(this.database.reading);
      if (last <= this.#position) return;
      const changed = await changedResources(this.database.reading, this.#position);
      this.#position = last;
      this.#waiters.wake(({ resources }) => resources.some((name) => changed.has(name)));
    } catch (error) {
      this.#logger.debug(`looking for changes failed: ${String(error)}`);
    } finally {
      this.#isLooking = false;
    }
  }
}
