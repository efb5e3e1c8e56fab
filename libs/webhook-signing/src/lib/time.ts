import { InvalidOptionError, TimestampOutsideToleranceError } from './errors.js';

const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/;

/**
 * Formats a time as ISO 8601 in UTC, in whole seconds. The fraction is cut off, because `.` separates timestamp and
 * body.
 */
export function toTimestamp(sentAt: Date): string {
  const text = Number.isFinite(sentAt.getTime()) ? `${sentAt.toISOString().slice(0, -'.000Z'.length)}Z` : '';
  if (!TIMESTAMP.test(text)) throw new InvalidOptionError('sentAt', 'a date in the years 0000 to 9999');
  return text;
}

/**
 * Parses a timestamp in the form of `toTimestamp`. Returns null for any other text, and for a day that does not exist.
 */
export function parseTimestamp(text: string): Date | null {
  if (!TIMESTAMP.test(text)) return null;
  const instant = new Date(text);
  return Number.isFinite(instant.getTime()) && toTimestamp(instant) === text ? instant : null;
}

/** Returns the seconds since 1970-01-01T00:00:00Z. The fraction is cut off. */
export function toUnixSeconds(sentAt: Date): number {
  const seconds = Math.floor(sentAt.getTime() / 1000);
  if (!(seconds >= 0)) throw new InvalidOptionError('sentAt', 'a date from 1970 on');
  return seconds;
}

/** Throws when `timestamp` differs from `now` by more than the tolerance, in either direction. */
export function assertWithinTolerance(timestamp: Date, now: Date, toleranceSeconds: number): void {
  const differenceSeconds = (now.getTime() - timestamp.getTime()) / 1000;
  if (Math.abs(differenceSeconds) <= toleranceSeconds) return;
  throw new TimestampOutsideToleranceError(differenceSeconds, toleranceSeconds);
}

/** Throws for an invalid clock or tolerance, before any signature is checked. */
export function assertClock(now: Date, toleranceSeconds: number): void {
  if (!(now instanceof Date) || !Number.isFinite(now.getTime())) throw new InvalidOptionError('now', 'a valid date');
  if (!(toleranceSeconds >= 0)) throw new InvalidOptionError('toleranceSeconds', 'a number of at least 0');
}
