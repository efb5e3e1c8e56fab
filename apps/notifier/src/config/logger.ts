import { ServerUnavailableError } from '@ats/postgres';

/** Injection token of the app's logger. */
export const LOGGER = Symbol('logger');

/**
 * The log level for a failure that is repeated. Failures while PostgreSQL is unavailable are logged at `debug`, because
 * the database logs the outage once and repetitions would fill the disk.
 */
export const failureLevel = <Level extends 'warn' | 'error'>(error: unknown, level: Level): Level | 'debug' =>
  error instanceof ServerUnavailableError ? 'debug' : level;
