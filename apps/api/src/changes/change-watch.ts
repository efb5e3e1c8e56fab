import { changedResources, readFeedState } from '@ats/domain';
import { message } from '@ats/message';
import { Database } from '@ats/postgres';
import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Draining } from '../request/draining.js';
import { Problem } from '../vocabulary/problem.js';
import { ChangePublisher } from './change-publisher.js';

/** The longest time between a commit and the answer to a client that waits for it, in ms. */
const LOOK_MS = 200;

/** Requests of one credential that may wait in one process at the same time. They count towards no other limit. */
const MAX_WAITING = 10_000;

/** The changes that a request waits for. */
export interface Wanted {
  readonly credentialId: number;
  /** The request wants changes after this position. */
  readonly position: number;
  readonly resources: readonly string[];
}

interface Waiter extends Wanted {
  readonly wake: () => void;
}

/**
 * Wakes the requests that wait for a change. The process looks for changes once for all of them, so a waiting request
 * holds no connection.
 */
@Injectable()
export class ChangeWatch implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #logger = new Logger('changes');
  readonly #waiters = new Set<Waiter>();
  /** The number of waiters of each credential. */
  readonly #counts = new Map<number, number>();
  /** All waiters for changes up to this position were woken. */
  #position = 0;
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;

  constructor(
    private readonly database: Database,
    private readonly publisher: ChangePublisher,
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
   * Resolves when one of the resources has a change after the position, when the process ends, or when the signal
   * aborts. It may also resolve early.
   * @throws {Problem} 429 when `MAX_WAITING` requests of the credential wait already
   */
  async wait(wanted: Wanted, signal: AbortSignal): Promise<void> {
    const { position, credentialId } = wanted;
    if (this.#waiters.size > 0 && this.#position > position) return;
    if (signal.aborted || this.isEnding) return;
    const own = this.#counts.get(credentialId) ?? 0;
    if (own >= MAX_WAITING) throw tooManyWaiting();
    this.#counts.set(credentialId, own + 1);
    if (this.#waiters.size === 0) this.#position = position;
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        if (!this.#waiters.delete(waiter)) return;
        const left = (this.#counts.get(credentialId) ?? 1) - 1;
        if (left > 0) this.#counts.set(credentialId, left);
        else this.#counts.delete(credentialId);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      const waiter = { ...wanted, wake };
      this.#waiters.add(waiter);
      signal.addEventListener('abort', wake);
    });
  }

  async #look(): Promise<void> {
    if (this.#waiters.size === 0 || this.#isLooking) return;
    if (this.isEnding) return this.#wake(() => true);
    this.#isLooking = true;
    try {
      await this.publisher.flush();
      const { last } = await readFeedState(this.database.reading);
      if (last <= this.#position) return;
      const changed = await changedResources(this.database.reading, this.#position);
      this.#position = last;
      this.#wake(({ resources }) => resources.some((name) => changed.has(name)));
    } catch (error) {
      this.#logger.debug(`looking for changes failed: ${String(error)}`);
    } finally {
      this.#isLooking = false;
    }
  }

  #wake(concerns: (waiter: Waiter) => boolean): void {
    for (const waiter of this.#waiters) if (concerns(waiter)) waiter.wake();
  }
}

const tooManyWaiting = (): Problem =>
  new Problem(429, message`Too many requests wait for changes: the limit is ${MAX_WAITING} for each credential`, {
    headers: { 'retry-after': '1' },
    details: { limit: 'concurrency' },
  });
