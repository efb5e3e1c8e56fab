import { feedStates } from '@ats/domain';
import { Database } from '@ats/postgres';
import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Waiters, type Wanted } from '../feeds/waiters.js';
import { Draining } from '../request/draining.js';

/** Longest time in ms between a commit and the answer to a client that waits for its message. */
const LOOK_MS = 200;

/** A request that waits for messages. */
export interface WantedMessages extends Wanted {
  readonly endpointId: number;
  /** The position after which the request waits for messages. */
  readonly position: number;
}

/**
 * Wakes the requests that wait for messages of endpoints. One statement looks for messages on behalf of all of them.
 */
@Injectable()
export class EndpointWatch implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #logger = new Logger('notifications');
  readonly #waiters = new Waiters<WantedMessages>();
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;

  constructor(
    private readonly database: Database,
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
   * Resolves when the endpoint has a message after the position or was deleted, when the process ends, or when the
   * signal aborts.
   * @throws {Problem} 429 when too many requests of the credential wait
   */
  async wait(wanted: WantedMessages, signal: AbortSignal): Promise<void> {
    if (signal.aborted || this.isEnding) return;
    await this.#waiters.wait(wanted, signal);
  }

  async #look(): Promise<void> {
    if (this.#waiters.size === 0 || this.#isLooking) return;
    if (this.isEnding) return this.#waiters.wake(() => true);
    this.#isLooking = true;
    try {
      const ids = [...new Set(this.#waiters.wanted.map(({ endpointId }) => endpointId))];
      const states = await feedStates(this.database, ids);
      this.#waiters.wake(({ endpointId, position }) => {
        // Skips a request that began to wait during the query, because the query did not read its endpoint. The next
        // query reads it.
        if (!ids.includes(endpointId)) return false;
        const state = states.get(endpointId);
        return !state || state.isBehind || state.last > position;
      });
    } catch (error) {
      this.#logger.debug(`the query for new messages of endpoints failed: ${String(error)}`);
    } finally {
      this.#isLooking = false;
    }
  }
}
