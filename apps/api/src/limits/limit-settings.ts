import { type Environment } from '../config/env.js';

/** The limits of the API. 0 means no limit. */
export interface LimitSettings {
  /** Maximum number of requests of a credential in one window. */
  readonly rate: number;
  readonly windowMs: number;
  /** Maximum number of requests of a credential that run at the same time. */
  readonly concurrency: number;
  /** Maximum database time of a credential in one window, in ms. */
  readonly databaseMs: number;
  /** Maximum number of bytes of the answers to a credential in one window, before compression. */
  readonly bytes: number;
  /** Maximum number of connections for pages that a credential uses at the same time. Undefined without a limit. */
  readonly readShare: number | undefined;
  /** Maximum number of failed authentications of a client network in a minute. */
  readonly failures: number;
  /** Maximum number of requests to public boards from a client network in a minute. */
  readonly boardRequests: number;
  /** Maximum number of applications through public boards from a client network in a minute. */
  readonly boardApplications: number;
  /** Maximum number of uploads through public boards from a client network in a minute. */
  readonly boardUploads: number;
}

const DEFAULT_FAILURES = 100;
const DEFAULT_BOARD_REQUESTS = 300;
const DEFAULT_BOARD_APPLICATIONS = 10;
const DEFAULT_BOARD_UPLOADS = 20;
const DEFAULT_READ_SHARE = 3;
/** The lowest rate limit for which budgets are derived. Lower rate limits have the same default budgets as this one. */
const LEAST_RATE = 50;
/**
 * Database time in ms by which the budget grows for each request of the rate limit. A page of 1,000 items needs less,
 * even on a machine with ten running processes for each processor.
 * Source: docs/adr/0026-capacity-shared-among-credentials.md.
 */
const DATABASE_MS_PER_REQUEST = 250;
/** Bytes by which the budget grows for each request of the rate limit. A page of 1,000 items is smaller. */
const BYTES_PER_REQUEST = 2 * 1024 ** 2;

const budget = (rate: number, perRequest: number): number => (rate === 0 ? 0 : Math.max(rate, LEAST_RATE) * perRequest);

/**
 * Reads the limits from the environment. `RATE_LIMIT=0` also switches off each limit whose own variable is not set.
 * Source: docs/reference/limits.md, "Switching limits off".
 */
export const limitSettings = ({
  RATE_LIMIT,
  RATE_LIMIT_WINDOW,
  CONCURRENCY_LIMIT,
  READ_CONNECTIONS_LIMIT,
  DATABASE_TIME_LIMIT,
  RESPONSE_SIZE_LIMIT,
  AUTH_FAILURE_LIMIT,
  BOARD_REQUEST_LIMIT,
  BOARD_APPLICATION_LIMIT,
  BOARD_UPLOAD_LIMIT,
}: Environment): LimitSettings => ({
  rate: RATE_LIMIT,
  windowMs: RATE_LIMIT_WINDOW * 1_000,
  concurrency: CONCURRENCY_LIMIT ?? RATE_LIMIT,
  databaseMs: DATABASE_TIME_LIMIT ?? budget(RATE_LIMIT, DATABASE_MS_PER_REQUEST),
  bytes: RESPONSE_SIZE_LIMIT === undefined ? budget(RATE_LIMIT, BYTES_PER_REQUEST) : RESPONSE_SIZE_LIMIT * 1024 ** 2,
  readShare: (READ_CONNECTIONS_LIMIT ?? (RATE_LIMIT === 0 ? 0 : DEFAULT_READ_SHARE)) || undefined,
  failures: AUTH_FAILURE_LIMIT ?? (RATE_LIMIT === 0 ? 0 : DEFAULT_FAILURES),
  boardRequests: BOARD_REQUEST_LIMIT ?? (RATE_LIMIT === 0 ? 0 : DEFAULT_BOARD_REQUESTS),
  boardApplications: BOARD_APPLICATION_LIMIT ?? (RATE_LIMIT === 0 ? 0 : DEFAULT_BOARD_APPLICATIONS),
  boardUploads: BOARD_UPLOAD_LIMIT ?? (RATE_LIMIT === 0 ? 0 : DEFAULT_BOARD_UPLOADS),
});

/** Injection token of `LimitSettings`. */
export const LIMIT_SETTINGS = Symbol('limit settings');
