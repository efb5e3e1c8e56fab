/** Longest wait that a destination can ask for. Source: CONTRACT.md 8. */
const MAX_RETRY_AFTER_MS = 24 * 3_600_000;
const JITTER = 0.2;

/** The forms of a date in HTTP (RFC 9110 5.6.7); the last one does not say that it is in UTC. The parser of dates takes far more. */
const DATE = /^[A-Za-z]{3,9}, \d\d[ -][A-Za-z]{3}[ -]\d{2,4} \d\d:\d\d:\d\d GMT$/;
const ANSI_DATE = /^[A-Za-z]{3} [A-Za-z]{3} [ \d]\d \d\d:\d\d:\d\d \d{4}$/;

/** A number from 0 (inclusive) to 1 (exclusive), as `Math.random` gives it. */
export type Random = () => number;

/**
 * How long to wait after a failed attempt.
 * @param failures      failed attempts so far, this one included
 * @param schedule      seconds to wait after the first, the second, … failed attempt
 * @param retryAfterMs  what the destination asked for; it can lengthen the wait, never shorten it, since a destination that
 *                      asks for nothing in particular would use up all attempts within seconds
 * @returns null when the schedule is used up
 * Source: CONTRACT.md 8: +0 to 20 % jitter.
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
 * Reads `Retry-After`: whole seconds or an HTTP date, at most 24 h ahead.
 * @returns null when it is absent or neither
 * Source: RFC 9110 10.2.3, CONTRACT.md 8.
 */
export function parseRetryAfter(value: string | null, now: Date): number | null {
  const text = value?.trim() ?? '';
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1_000, MAX_RETRY_AFTER_MS);
  const date = DATE.test(text) ? Date.parse(text) : ANSI_DATE.test(text) ? Date.parse(`${text} GMT`) : NaN;
  if (Number.isNaN(date)) return null;
  return Math.min(Math.max(0, date - now.getTime()), MAX_RETRY_AFTER_MS);
}
