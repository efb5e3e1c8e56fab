import { feedStates } from '@ats/domain';
import { Database } from '@ats/postgres';
import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Waiters, type Wanted } from '../feeds/waiters.js';
import { Draining } from '../request/draining.js';

/** The longest time between a commit and the answer to a client that waits for the message, in ms. */
const LOOK_MS = 200;

/** The messages that a request waits for. */
export interface WantedMessages extends Wanted {
  readonly endpointId: number;
  /** The request wants messages after this position. */
  readonly position: number;
}

/** Wakes the requests that wait for messages of endpoints. The process looks once for all of them. */
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

  /** The timer starts here and not in a request, whose share of the connections it would use. */
  onApplicationBootstrap(): void {
    this.#timer = setInterval(() => void this.#look(), LOOK_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.#timer);
  }

  /** True when the process ends. Requests must then wait no longer. */
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
        // A request that began to wait meanwhile is looked at in the next round.
        if (!ids.includes(endpointId)) return false;
        const state = states.get(endpointId);
        return !state || state.isBehind || state.last > position;
      });
    } catch (error) {
      this.#logger.debug(`looking for messages failed: ${String(error)}`);
    } finally {
      this.#isLooking = false;
    }
  }
}
