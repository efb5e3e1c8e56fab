import { type Environment } from '../config/env.js';

/** How much is taken of whom; 0 is no limit. */
export interface LimitSettings {
  /** Requests of a credential in a window. */
  readonly rate: number;
  readonly windowMs: number;
  /** Requests of a credential at the same time. */
  readonly concurrency: number;
  /** Failed authentications of an address in a minute. */
  readonly failures: number;
}

const DEFAULT_FAILURES = 100;

/** `RATE_LIMIT=0` switches off whatever is not set itself. Source: CONTRACT.md 10. */
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

/** Token of the app's limits. */
export const LIMIT_SETTINGS = Symbol('limit settings');
