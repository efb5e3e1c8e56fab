/*
 * In this library a day is the number of days since 1970-01-01, and a moment is the number of milliseconds since
 * 1970-01-01T00:00Z. Both cover the years 0001 to 9999.
 */

export const DAY_MS = 86_400_000;
export const HOUR_MS = 3_600_000;
export const MINUTE_MS = 60_000;
export const SECOND_MS = 1000;

export const FIRST_MOMENT_MS = Date.parse('0001-01-01T00:00:00Z');
export const LAST_MOMENT_MS = Date.parse('9999-12-31T23:59:59.999Z');

const monthStarts = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334] as const;
const monthLengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;
const daysBefore1970 = daysBeforeYear(1970);

/**
 * Reads a date in the form `YYYY-MM-DD`.
 * @returns the days since 1970-01-01, or undefined for any other text and for dates that do not exist (2026-02-30)
 */
export function parseDay(text: string): number | undefined {
  return text.length === 10 ? readDay(text) : undefined;
}

/**
 * Reads a timestamp in the form `YYYY-MM-DDThh:mm[:ss[.fff]](Z|±hh:mm)`. Digits after the milliseconds are dropped.
 * @returns the milliseconds since 1970-01-01T00:00Z, or undefined for any other text and outside the years 0001 to 9999
 */
export function parseMoment(text: string): number | undefined {
  const day = text[10] === 'T' && text[13] === ':' ? readDay(text) : undefined;
  const hours = readDigits(text, 11, 2);
  const minutes = readDigits(text, 14, 2);
  if (day === undefined || !(hours < 24) || !(minutes < 60)) return undefined;
  let at = 16;
  let secondsMs = 0;
  if (text[at] === ':') {
    const seconds = readDigits(text, at + 1, 2);
    const fraction = readFraction(text, at + 3);
    if (!(seconds < 60) || fraction === undefined) return undefined;
    secondsMs = seconds * SECOND_MS + fraction.milliseconds;
    at = fraction.end;
  }
  const offsetMs = readOffset(text, at);
  if (offsetMs === undefined) return undefined;
  const moment = day * DAY_MS + hours * HOUR_MS + minutes * MINUTE_MS + secondsMs - offsetMs;
  return isMoment(moment) ? moment : undefined;
}

/** Returns whether `ms` lies in the years 0001 to 9999. NaN does not. */
export function isMoment(ms: number): boolean {
  return ms >= FIRST_MOMENT_MS && ms <= LAST_MOMENT_MS;
}

/** Formats a day as `YYYY-MM-DD`. */
export function formatDay(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, -'T00:00:00.000Z'.length);
}

/** Reads the date in the first ten characters of `text`. */
function readDay(text: string): number | undefined {
  if (text[4] !== '-' || text[7] !== '-') return undefined;
  const year = readDigits(text, 0, 4);
  const month = readDigits(text, 5, 2);
  const dayOfMonth = readDigits(text, 8, 2);
  if (!(year >= 1) || !(month >= 1 && month <= 12) || !(dayOfMonth >= 1)) return undefined;
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const leapDay = isLeap && month === 2 ? 1 : 0;
  if (dayOfMonth > (monthLengths[month - 1] ?? 0) + leapDay) return undefined;
  const passedLeapDay = isLeap && month > 2 ? 1 : 0;
  return daysBeforeYear(year) + (monthStarts[month - 1] ?? 0) + passedLeapDay + dayOfMonth - 1 - daysBefore1970;
}

/** Days from 0001-01-01 to 1 January of `year`. */
function daysBeforeYear(year: number): number {
  const passed = year - 1;
  return passed * 365 + Math.floor(passed / 4) - Math.floor(passed / 100) + Math.floor(passed / 400);
}

/** Reads `count` digits at `start`. Returns NaN when there is any other character. */
function readDigits(text: string, start: number, count: number): number {
  let value = 0;
  for (let at = start; at < start + count; at++) {
    const digit = text.charCodeAt(at) - 0x30;
    if (!(digit >= 0 && digit <= 9)) return NaN;
    value = value * 10 + digit;
  }
  return value;
}

function readFraction(text: string, start: number): { milliseconds: number; end: number } | undefined {
  if (text[start] !== '.') return { milliseconds: 0, end: start };
  let end = start + 1;
  while (readDigits(text, end, 1) >= 0) end++;
  const digits = text.slice(start + 1, end);
  const milliseconds = Number(digits.slice(0, 3).padEnd(3, '0'));
  return digits === '' || digits.length > 9 ? undefined : { milliseconds, end };
}

function readOffset(text: string, start: number): number | undefined {
  if (text[start] === 'Z') return text.length === start + 1 ? 0 : undefined;
  const sign = text[start] === '+' ? 1 : text[start] === '-' ? -1 : undefined;
  const hours = readDigits(text, start + 1, 2);
  const minutes = readDigits(text, start + 4, 2);
  const isComplete = text[start + 3] === ':' && text.length === start + 6 && hours < 24 && minutes < 60;
  return sign === undefined || !isComplete ? undefined : sign * (hours * HOUR_MS + minutes * MINUTE_MS);
}
