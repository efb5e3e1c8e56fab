/** A monotonic clock. It is never set back, unlike the wall clock. */
export interface Clock {
  /** Milliseconds since an arbitrary moment. */
  now(): number;
  /** Calls `act` after a delay. @returns a function that cancels the call */
  after(delayMs: number, act: () => void): () => void;
}

export const monotonicClock: Clock = {
  now: () => performance.now(),
  after(delayMs, act) {
    const timer = setTimeout(act, delayMs);
    return () => clearTimeout(timer);
  },
};
