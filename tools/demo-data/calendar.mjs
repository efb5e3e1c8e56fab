// @ts-check

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** The demo data ends at this time. It does not depend on a clock. */
export const NOW = Date.UTC(2026, 10, 1);
/** The demo data starts at this time. */
export const BEGINNING = NOW - 730 * DAY;

/**
 * Formats a time as an ISO 8601 timestamp.
 * @param {number} moment
 */
export const timestamp = (moment) => new Date(moment).toISOString();

/**
 * Formats a time as an ISO 8601 date in UTC.
 * @param {number} moment
 */
export const date = (moment) => new Date(moment).toISOString().slice(0, 10);

/**
 * Returns the midnight (UTC) at which the day of a time starts.
 * @param {number} moment
 */
export const startOfDay = (moment) => Math.floor(moment / DAY) * DAY;

/**
 * Returns the time at which a recruiter does the work that is due at `due`: on a weekday in working hours, after
 * `last`.
 * @param {number} due
 * @param {number} last
 * @param {import('./random.mjs').Random} random
 */
export function officeTime(due, last, random) {
  let day = startOfDay(due);
  const weekday = new Date(day).getUTCDay();
  if (weekday === 6) day += 2 * DAY;
  if (weekday === 0) day += DAY;
  const moment = day + 8 * HOUR + random.between(0, 9.5 * HOUR);
  return moment > last ? moment : last + random.between(5 * MINUTE, 90 * MINUTE);
}
