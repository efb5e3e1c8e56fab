import { setImmediate as letOthersRun } from 'node:timers/promises';

/** So long nobody else of the process has a turn: little enough to go unnoticed. */
const SLICE_MS = 20;

/** Something long that is computed in turns, so that others have theirs in between. */
export class TimeSlice {
  #begin = performance.now();
  #pastMs = 0;

  /** How long it has computed, without what others did in between, in milliseconds. */
  get spentMs(): number {
    return this.#pastMs + performance.now() - this.#begin;
  }

  /** To be called often: gives way when the turn is over. */
  async next(): Promise<void> {
    const turnMs = performance.now() - this.#begin;
    if (turnMs < SLICE_MS) return;
    this.#pastMs += turnMs;
    await letOthersRun();
    this.#begin = performance.now();
  }
}
