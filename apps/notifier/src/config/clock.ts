/** The clock of this machine. Times that are stored in rows come from the clock of the database instead. */
export interface Clock {
  now(): Date;
}

/** Injection token of the clock. Tests replace it. */
export const CLOCK = Symbol('clock');

export const systemClock: Clock = { now: () => new Date() };
