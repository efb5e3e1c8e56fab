/** The time of this machine, where a signature or a wait needs it. Times of rows come from the database. */
export interface Clock {
  now(): Date;
}

/** Token of the clock: tests put their own in its place. */
export const CLOCK = Symbol('clock');

export const systemClock: Clock = { now: () => new Date() };
