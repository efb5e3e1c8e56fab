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
  return text.length === 10 ? readDay(text, 1) : undefined;
}

/**
 * Reads a timestamp of ISO 8601 or RFC 3339 that has a zone: `YYYY-MM-DDThh:mm[:ss[.fff]]` or
 * `YYYYMMDDThhmm[ss[.fff]]`, then `Z`, `±hh:mm`, `±hhmm` or `±hh`. `t`, `z`, a blank in place of `T` and a comma in
 * place of the point are read, too. `24:00` is the end of the day. Digits after the milliseconds are dropped.
 * @returns the milliseconds since 1970-01-01T00:00Z, or undefined for any other text and outside the years 0001 to 9999
 */
export function parseMoment(text: string): number | undefined {
  // The extended format has separators of one character, the basic format has none.
  const gap = text[4] === '-' ? 1 : 0;
  const day = readDay(text, gap);
  let at = 8 + 2 * gap;
  if (day === undefined || !isTimeMark(text[at])) return undefined;
  const hours = readDigits(text, at + 1, 2);
  const minutes = readDigits(text, at + 3 + gap, 2);
  if (!(hours <= 24) || !(minutes < 60) || (gap === 1 && text[at + 3] !== ':')) return undefined;
  at += 5 + gap;
  let secondsMs = 0;
  if (gap === 1 ? text[at] === ':' : readDigits(text, at, 1) >= 0) {
    const seconds = readDigits(text, at + gap, 2);
    const fraction = readFraction(text, at + gap + 2);
    if (!(seconds < 60) || fraction === undefined) return undefined;
    secondsMs = seconds * SECOND_MS + fraction.milliseconds;
    at = fraction.end;
  }
  const offsetMs = readOffset(text, at);
  const timeMs = hours * HOUR_MS + minutes * MINUTE_MS + secondsMs;
  if (offsetMs === undefined || timeMs > DAY_MS) return undefined;
  const moment = day * DAY_MS + timeMs - offsetMs;
  return isMoment(moment) ? moment : undefined;
}

const isTimeMark = (character: string | undefined): boolean =>
  character === 'T' || character === 't' || character === ' ';

/** Returns true when `ms` is in the years 0001 to 9999. Returns false for NaN. */
export function isMoment(ms: number): boolean {
  return ms >= FIRST_MOMENT_MS && ms <= LAST_MOMENT_MS;
}

/** Formats a day as `YYYY-MM-DD`. */
export function formatDay(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, -'T00:00:00.000Z'.length);
}

/**
 * Reads the date at the start of `text`.
 * @param gap  1 when hyphens separate the parts of the date, 0 when nothing does
 */
function readDay(text: string, gap: 0 | 1): number | undefined {
  if (gap === 1 && (text[4] !== '-' || text[7] !== '-')) return undefined;
  const year = readDigits(text, 0, 4);
  const month = readDigits(text, 4 + gap, 2);
  const dayOfMonth = readDigits(text, 6 + 2 * gap, 2);
  if (!(year >= 1) || !(month >= 1 && month <= 12) || !(dayOfMonth >= 1)) return undefined;
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const leapDay = isLeap && month === 2 ? 1 : 0;
  if (dayOfMonth > (monthLengths[month - 1] ?? 0) + leapDay) return undefined;
  const passedLeapDay = isLeap && month > 2 ? 1 : 0;
  return daysBeforeYear(year) + (monthStarts[month - 1] ?? 0) + passedLeapDay + dayOfMonth - 1 - daysBefore1970;
}

/** Returns the number of days from 0001-01-01 to 1 January of `year`. */
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
  if (text[start] !== '.' && text[start] !== ',') return { milliseconds: 0, end: start };
  let end = start + 1;
  while (readDigits(text, end, 1) >= 0) end++;
  const milliseconds = Number(text.slice(start + 1, Math.min(end, start + 4)).padEnd(3, '0'));
  return end === start + 1 ? undefined : { milliseconds, end };
}

function readOffset(text: string, start: number): number | undefined {
  const mark = text[start];
  if (mark === 'Z' || mark === 'z') return text.length === start + 1 ? 0 : undefined;
  const sign = mark === '+' ? 1 : mark === '-' ? -1 : undefined;
  const hours = readDigits(text, start + 1, 2);
  const minutesAt = start + (text[start + 3] === ':' ? 4 : 3);
  const minutes = text.length === start + 3 ? 0 : readDigits(text, minutesAt, 2);
  const isComplete = text.length === start + 3 || text.length === minutesAt + 2;
  if (sign === undefined || !isComplete || !(hours < 24) || !(minutes < 60)) return undefined;
  return sign * (hours * HOUR_MS + minutes * MINUTE_MS);
}
