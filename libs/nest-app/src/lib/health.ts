import { type Database } from '@ats/postgres';

/** The values of `status` in answers of `/health/*`: `ok` with 200, `unavailable` with 503. */
export const HEALTH_STATUSES = ['ok', 'unavailable'] as const;
export type HealthStatus = (typeof HEALTH_STATUSES)[number];

/** The results of one check of `/health/ready`. */
export const CHECK_RESULTS = ['up', 'down'] as const;
export type CheckResult = (typeof CHECK_RESULTS)[number];

/** The checks of `/health/ready`. Every app has the same. */
export const CHECKS = ['database', 'migrations', 'redis'] as const;
export type HealthChecks = Readonly<Record<(typeof CHECKS)[number], CheckResult>>;

/** A condition that an operator should look at, although the process works. Codes are stable. */
export interface HealthWarning<Code extends string = string> {
  readonly code: Code;
  readonly info: string;
}

/** The body of `/health/live` and `/health/serving` with 200. */
export interface Liveness {
  readonly status: HealthStatus;
}

/**
 * The body of `/health/ready`. Warnings do not change the status.
 * Source: docs/reference/operations.md, "Health".
 */
export interface Readiness<Code extends string = string> extends Liveness {
  readonly checks: HealthChecks;
  readonly warnings: readonly HealthWarning<Code>[];
}

/** The body of `/health/live` in every app. */
export const ALIVE: Liveness = { status: 'ok' };

/** The English text of `message` in answers of `/health/*` with 503. */
export const NOT_READY = 'The service is not ready';

/** Time limit of a check in ms. A check that takes longer has the result `down`. */
const CHECK_TIMEOUT_MS = 2_000;

/**
 * Checks the servers and the migrations that the process depends on. It never rejects and takes at most two seconds.
 * @param pingRedis  resolves to false, or rejects, when Redis is unavailable
 */
export async function runHealthChecks(database: Database, pingRedis: () => Promise<boolean>): Promise<HealthChecks> {
  const [reached, migrated, redis] = await Promise.all([
    resultOf(database.query('SELECT 1').then(() => true)),
    resultOf(database.hasAllMigrations()),
    resultOf(pingRedis()),
  ]);
  return { database: reached, migrations: migrated, redis };
}

/** Returns the readiness that follows from the checks. */
export function readinessOf<Code extends string>(
  checks: HealthChecks,
  warnings: readonly HealthWarning<Code>[],
): Readiness<Code> {
  return { status: Object.values(checks).every((result) => result === 'up') ? 'ok' : 'unavailable', checks, warnings };
}

const resultOf = async (check: Promise<boolean>): Promise<CheckResult> =>
  (await withinCheckTime(check)) ? 'up' : 'down';

/**
 * Resolves to the result of `work`. Resolves to undefined when the work rejects or takes longer than a health check
 * may.
 */
export async function withinCheckTime<T>(work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), CHECK_TIMEOUT_MS);
  });
  try {
    return await Promise.race([work, tooLate]);
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
