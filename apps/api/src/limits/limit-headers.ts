import { type LimitSettings } from './limit-settings.js';
import { type LimitStates } from './limit-states.js';
import { rateLimitHeaders } from './rate-limit-state.js';

/** Unit of database time in the headers. The draft defines no unit of time. */
const MILLISECONDS = 'milliseconds';

/** Returns the value of `RateLimit-Policy`. Empty when all limits are off. */
export function policyOf({ rate, windowMs, concurrency, databaseMs, bytes }: LimitSettings): string {
  const window = `;w=${windowMs / 1_000}`;
  return [
    rate > 0 && `"rate";q=${rate}${window}`,
    concurrency > 0 && `"concurrency";q=${concurrency};qu="concurrent-requests"`,
    databaseMs > 0 && `"database_time";q=${databaseMs}${window};qu="${MILLISECONDS}"`,
    bytes > 0 && `"bytes";q=${bytes}${window};qu="content-bytes"`,
  ]
    .filter(Boolean)
    .join(', ');
}

/**
 * Returns the headers of all limits of a credential: `RateLimit-Policy` and `RateLimit` by
 * draft-ietf-httpapi-ratelimit-headers version 10, and the three headers of earlier versions for the rate limit.
 * Source: docs/reference/limits.md, "Headers".
 */
export function limitHeaders(policy: string, states: LimitStates): Record<string, string> {
  if (policy === '') return {};
  const now = Object.entries(states).map(
    ([name, { remaining, resetSeconds }]) => `"${name}";r=${remaining};t=${resetSeconds}`,
  );
  return {
    ...rateLimitHeaders(states.rate),
    'ratelimit-policy': policy,
    ...(now.length > 0 && { ratelimit: now.join(', ') }),
  };
}
