/** A clock that only goes forward, unlike that of the day. */
export interface Clock {
  /** Milliseconds since some moment. */
  now(): number;
  /** @returns cancels it */
  after(delayMs: number, act: () => void): () => void;
}

export const monotonicClock: Clock = {
  now: () => performance.now(),
  after(delayMs, act) {
    const timer = setTimeout(act, delayMs);
    return () => clearTimeout(timer);
  },
};
