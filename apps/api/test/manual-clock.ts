import { type Clock } from '../src/collections/clock.js';

/** A clock that stands still until it is told to go on. */
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

  /** Goes on, with a stop at each timer on the way, and lets all that follows from it happen. */
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

/** Once nothing is left to do at this moment. */
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
