import { type Message, message } from '@ats/message';
import { DAY_MS, HOUR_MS, MINUTE_MS, parseDay, parseMoment, SECOND_MS } from './calendar.js';
import { LIMITS } from './limits.js';

/**
 * The order of the four arguments of DTDURATION. SPEC.md 6.3 does not show it; CONTRACT.md 6 rules: the parts of
 * XPath's dayTimeDuration. The one place to change should a client prove otherwise.
 */
export const DURATION_UNITS = ['days', 'hours', 'minutes', 'seconds'] as const;
export type DurationUnit = (typeof DURATION_UNITS)[number];

/** For people. */
export const UNIT_NAMES: Readonly<Record<DurationUnit, Message>> = {
  days: message`days`,
  hours: message`hours`,
  minutes: message`minutes`,
  seconds: message`seconds`,
};

/** Days move the calendar, the rest is exact time: the two are kept apart because a day may have 23 hours. */
export interface Duration {
  readonly days: number;
  readonly milliseconds: number;
}

/** What `DATE(text)` stands for. */
export type DateValue =
  | { readonly kind: 'today' }
  | { readonly kind: 'now' }
  | { readonly kind: 'day'; readonly day: number }
  | { readonly kind: 'moment'; readonly ms: number };

const today: DateValue = { kind: 'today' };
const now: DateValue = { kind: 'now' };

/** `today`, `now`, an ISO date or an ISO date-time with offset; undefined for any other text. */
export function readDate(text: string): DateValue | undefined {
  if (text === 'today') return today;
  if (text === 'now') return now;
  return readIsoDate(text);
}

/** An ISO date or date-time with offset, as a string beside a date may be. */
export function readIsoDate(text: string): Extract<DateValue, { kind: 'day' | 'moment' }> | undefined {
  const day = parseDay(text);
  if (day !== undefined) return { kind: 'day', day };
  const ms = parseMoment(text);
  return ms === undefined ? undefined : { kind: 'moment', ms };
}

/** The arguments of DTDURATION, in the order of `DURATION_UNITS`. */
export function toDuration(values: readonly number[]): Duration {
  const of = (unit: DurationUnit): number => values[DURATION_UNITS.indexOf(unit)] ?? 0;
  const milliseconds = of('hours') * HOUR_MS + of('minutes') * MINUTE_MS + of('seconds') * SECOND_MS;
  return { days: of('days'), milliseconds };
}

/** Whether the magnitudes of the arguments add up to an accepted length. */
export function isDurationInRange(values: readonly number[]): boolean {
  const { days, milliseconds } = toDuration(values.map(Math.abs));
  return days * DAY_MS + milliseconds <= LIMITS.durationDays * DAY_MS;
}
