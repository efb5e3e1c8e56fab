import { setImmediate as letOthersRun } from 'node:timers/promises';

/** Maximum time in ms for which the event loop is blocked. */
const SLICE_MS = 20;

/** Divides a long computation into slices, between which the event loop runs other work. */
export class TimeSlice {
  #begin = performance.now();
  #pastMs = 0;

  /** The computing time so far in ms, without the pauses between slices. */
  get spentMs(): number {
    return this.#pastMs + performance.now() - this.#begin;
  }

  /** Yields to the event loop when the current slice is used up. Call it often. */
  async next(): Promise<void> {
    const sliceMs = performance.now() - this.#begin;
    if (sliceMs < SLICE_MS) return;
    this.#pastMs += sliceMs;
    await letOthersRun();
    this.#begin = performance.now();
  }
}
