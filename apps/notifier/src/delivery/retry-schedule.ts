/** The longest delay that a destination can request. */
const MAX_RETRY_AFTER_MS = 24 * 3_600_000;
const JITTER = 0.2;

/**
 * Matches the date formats of HTTP (RFC 9110, section 5.6.7). The check is necessary, because `Date.parse` accepts many
 * other formats.
 */
const DATE = /^[A-Za-z]{3,9}, \d\d[ -][A-Za-z]{3}[ -]\d{2,4} \d\d:\d\d:\d\d GMT$/;
/** Matches the `asctime` format. Such a date names no time zone, because it is always in UTC. */
const ANSI_DATE = /^[A-Za-z]{3} [A-Za-z]{3} [ \d]\d \d\d:\d\d:\d\d \d{4}$/;

/** Returns a number from 0 (inclusive) to 1 (exclusive), as `Math.random` does. */
export type Random = () => number;

/**
 * Returns the delay after a failed attempt in milliseconds, with 0 to 20 % jitter (docs/reference/notifications.md).
 * @param failures  number of failed attempts, including this one
 * @param schedule  delays in seconds after the first, the second, … failed attempt
 * @param retryAfterMs  delay that the destination requested. It can only make the delay longer. Otherwise
 *   `Retry-After: 0` could use up all attempts within seconds
 * @returns null when the schedule is exhausted
 */
export function retryDelayMs(
  failures: number,
  {
    schedule,
    random,
    retryAfterMs,
  }: { readonly schedule: readonly number[]; readonly random: Random; readonly retryAfterMs: number | null },
): number | null {
  const seconds = schedule[failures - 1];
  if (seconds === undefined) return null;
  const scheduledMs = Math.round(seconds * 1_000 * (1 + JITTER * random()));
  return Math.max(scheduledMs, retryAfterMs ?? 0);
}

/**
 * Parses a `Retry-After` header: whole seconds or an HTTP date (RFC 9110, section 10.2.3).
 * @returns the delay in milliseconds, at most 24 h; null when the header is absent or invalid
 */
export function parseRetryAfter(value: string | null, now: Date): number | null {
  const text = value?.trim() ?? '';
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1_000, MAX_RETRY_AFTER_MS);
  const date = DATE.test(text) ? Date.parse(text) : ANSI_DATE.test(text) ? Date.parse(`${text} GMT`) : NaN;
  if (Number.isNaN(date)) return null;
  return Math.min(Math.max(0, date - now.getTime()), MAX_RETRY_AFTER_MS);
}
