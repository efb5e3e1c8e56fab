import { message } from '@ats/message';
import { Problem } from '../vocabulary/problem.js';

/**
 * Maximum number of requests of one credential that may wait in one process at the same time. They count towards no
 * other limit.
 */
const MAX_WAITING = 10_000;

/** A waiting request and its credential. */
export interface Wanted {
  readonly credentialId: number;
}

type Waiter<W> = W & { readonly wake: () => void };

/** The reason why a request stopped waiting. */
export type Outcome = 'woken' | 'aborted' | 'over';

/** The requests that wait for something new in a feed. A waiting request holds no connection to the database. */
export class Waiters<W extends Wanted> {
  readonly #waiters = new Set<Waiter<W>>();
  /** Maps the id of a credential to the number of its waiting requests. */
  readonly #counts = new Map<number, number>();

  get size(): number {
    return this.#waiters.size;
  }

  /** The conditions for which requests wait, such as a change after a position in a feed. */
  get wanted(): readonly W[] {
    return [...this.#waiters];
  }

  /**
   * Resolves when {@link wake} wakes the request, when the signal aborts, or after `forMs`.
   * @throws {Problem} 429 when `MAX_WAITING` requests of the credential wait already
   */
  async wait(wanted: W, signal: AbortSignal, forMs?: number): Promise<Outcome> {
    const { credentialId } = wanted;
    const own = this.#counts.get(credentialId) ?? 0;
    if (own >= MAX_WAITING) throw tooManyWaiting();
    this.#counts.set(credentialId, own + 1);
    return new Promise((resolve) => {
      const end = (outcome: Outcome): void => {
        if (!this.#waiters.delete(waiter)) return;
        clearTimeout(timer);
        const left = (this.#counts.get(credentialId) ?? 1) - 1;
        if (left > 0) this.#counts.set(credentialId, left);
        else this.#counts.delete(credentialId);
        signal.removeEventListener('abort', abort);
        resolve(outcome);
      };
      const abort = (): void => end('aborted');
      const waiter = { ...wanted, wake: () => end('woken') };
      const timer = forMs === undefined ? undefined : setTimeout(() => end('over'), forMs);
      this.#waiters.add(waiter);
      signal.addEventListener('abort', abort);
    });
  }

  /** Wakes the requests for which the condition holds. */
  wake(concerns: (wanted: W) => boolean): void {
    for (const waiter of this.#waiters) if (concerns(waiter)) waiter.wake();
  }
}

const tooManyWaiting = (): Problem =>
  new Problem(429, message`Too many requests wait for changes: the limit is ${MAX_WAITING} for each credential`, {
    headers: { 'retry-after': '1' },
    details: { limit: 'concurrency' },
  });
