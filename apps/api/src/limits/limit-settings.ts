import { type Environment } from '../config/env.js';

/** The limits of the API. 0 means no limit. */
export interface LimitSettings {
  /** Requests of a credential in one window. */
  readonly rate: number;
  readonly windowMs: number;
  /** Requests of a credential that may run at the same time. */
  readonly concurrency: number;
  /** Failed authentications of a client network in a minute. */
  readonly failures: number;
}

const DEFAULT_FAILURES = 100;

/**
 * Reads the limits from the environment. `RATE_LIMIT=0` also switches off each limit whose own variable is not set.
 * Source: docs/reference/limits.md, "Switching limits off".
 */
export const limitSettings = ({
  RATE_LIMIT,
  RATE_LIMIT_WINDOW,
  CONCURRENCY_LIMIT,
  AUTH_FAILURE_LIMIT,
}: Environment): LimitSettings => ({
  rate: RATE_LIMIT,
  windowMs: RATE_LIMIT_WINDOW * 1_000,
  concurrency: CONCURRENCY_LIMIT ?? RATE_LIMIT,
  failures: AUTH_FAILURE_LIMIT ?? (RATE_LIMIT === 0 ? 0 : DEFAULT_FAILURES),
});

/** Injection token of `LimitSettings`. */
export const LIMIT_SETTINGS = Symbol('limit settings');
