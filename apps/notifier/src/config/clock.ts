/** The clock of this machine. Times of rows come from the database. */
export interface Clock {
  now(): Date;
}

/** Injection token of the clock. Tests replace it. */
export const CLOCK = Symbol('clock');

export const systemClock: Clock = { now: () => new Date() };
