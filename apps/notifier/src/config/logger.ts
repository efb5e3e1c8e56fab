import { ServerUnavailableError } from '@ats/postgres';

/** Injection token of the app's logger. */
export const LOGGER = Symbol('logger');

/**
 * Returns the log level for a failure that repeats. Failures while PostgreSQL is unavailable are logged at `debug`: the
 * outage itself is logged once, and log lines about each failed attempt would fill the disk.
 */
export const failureLevel = <Level extends 'warn' | 'error'>(error: unknown, level: Level): Level | 'debug' =>
  error instanceof ServerUnavailableError ? 'debug' : level;
