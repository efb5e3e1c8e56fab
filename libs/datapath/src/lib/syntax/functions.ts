import { type Message, message } from '@ats/message';
import { DAY_MS, HOUR_MS, MINUTE_MS, parseDay, parseMoment, SECOND_MS } from './calendar.js';
import { LIMITS } from './limits.js';

/**
 * The order of the four arguments of DTDURATION, which are the parts of XPath's dayTimeDuration.
 * Source: docs/reference/expressions.md, "Functions".
 */
export const DURATION_UNITS = ['days', 'hours', 'minutes', 'seconds'] as const;
export type DurationUnit = (typeof DURATION_UNITS)[number];

/** Maps each unit of a duration to its name in messages. */
export const UNIT_NAMES: Readonly<Record<DurationUnit, Message>> = {
  days: message`days`,
  hours: message`hours`,
  minutes: message`minutes`,
  seconds: message`seconds`,
};

/**
 * A duration. Its days move the calendar date, while hours, minutes and seconds are exact time. They are separate,
 * because a day can have 23 or 25 hours.
 */
export interface Duration {
  readonly days: number;
  readonly milliseconds: number;
}

/** The value of a call `DATE(text)`. */
export type DateValue =
  | { readonly kind: 'today' }
  | { readonly kind: 'now' }
  | { readonly kind: 'day'; readonly day: number }
  | { readonly kind: 'moment'; readonly ms: number };

const today: DateValue = { kind: 'today' };
const now: DateValue = { kind: 'now' };

/** Reads `today`, `now`, an ISO date or an ISO timestamp with offset. Returns undefined for any other text. */
export function readDate(text: string): DateValue | undefined {
  if (text === 'today') return today;
  if (text === 'now') return now;
  return readIsoDate(text);
}

/**
 * Reads an ISO date or an ISO timestamp with offset. A string that is compared with a date must have one of these
 * forms.
 */
export function readIsoDate(text: string): Extract<DateValue, { kind: 'day' | 'moment' }> | undefined {
  const day = parseDay(text);
  if (day !== undefined) return { kind: 'day', day };
  const ms = parseMoment(text);
  return ms === undefined ? undefined : { kind: 'moment', ms };
}

/**
 * Makes a duration from the arguments of DTDURATION.
 * @param values  in the order of `DURATION_UNITS`
 */
export function toDuration(values: readonly number[]): Duration {
  const of = (unit: DurationUnit): number => values[DURATION_UNITS.indexOf(unit)] ?? 0;
  const milliseconds = of('hours') * HOUR_MS + of('minutes') * MINUTE_MS + of('seconds') * SECOND_MS;
  return { days: of('days'), milliseconds };
}

/** Returns whether the sum of the absolute values of the arguments is within the limit. */
export function isDurationInRange(values: readonly number[]): boolean {
  const { days, milliseconds } = toDuration(values.map(Math.abs));
  return days * DAY_MS + milliseconds <= LIMITS.durationDays * DAY_MS;
}
