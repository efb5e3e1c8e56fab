import { type Clock } from '../../src/collections/clock.js';

/** A clock that stands still until `advance` is called. */
export class ManualClock implements Clock {
  #now = 0;
  readonly #timers = new Set<{ readonly at: number; readonly act: () => void }>();

  now(): number {
    return this.#now;
  }

  after(delayMs: number, act: () => void): () => void {
    const timer = { at: this.#now + delayMs, act };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** Moves the clock forward and runs the due timers in order. Waits until the work of each timer is done. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    for (;;) {
      await settled();
      const [next] = [...this.#timers].filter(({ at }) => at <= end).sort((one, other) => one.at - other.at);
      if (!next) break;
      this.#timers.delete(next);
      this.#now = next.at;
      next.act();
    }
    this.#now = end;
    await settled();
  }
}

/** Resolves when all callbacks that are ready have run. */
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
