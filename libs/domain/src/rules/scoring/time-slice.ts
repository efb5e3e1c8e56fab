import { setImmediate as letOthersRun } from 'node:timers/promises';

/** Maximum time in ms for which the computation blocks the event loop. */
const SLICE_MS = 20;

/** Divides a long computation into slices. Between them, the event loop can run other work. */
export class TimeSlice {
  #begin = performance.now();
  #pastMs = 0;

  /** The time that the computation has used so far in ms, without the pauses between slices. */
  get spentMs(): number {
    return this.#pastMs + performance.now() - this.#begin;
  }

  /** Lets the event loop run other work when the time of the current slice is used up. Call it often. */
  async next(): Promise<void> {
    const sliceMs = performance.now() - this.#begin;
    if (sliceMs < SLICE_MS) return;
    this.#pastMs += sliceMs;
    await letOthersRun();
    this.#begin = performance.now();
  }
}
