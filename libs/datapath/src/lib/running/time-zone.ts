import { DAY_MS, FIRST_MOMENT_MS, LAST_MOMENT_MS } from '../syntax/calendar.js';
import { ContextError } from './check-context.js';

const MAX_CACHED_DAYS = 4096;
const MAX_CACHED_ZONES = 1024;

/**
 * The calendar days of an IANA time zone. A day lasts from its first moment to the first moment of the next day. Starts
 * of days are cached, because `Intl` is slow.
 */
export class TimeZone {
  private readonly starts = new Map<number, number>();

  /** @param formatter  formats moments in the zone. Null for UTC, which needs no formatter */
  constructor(private readonly formatter: Intl.DateTimeFormat | null) {}

  /** Returns the calendar date of a moment. */
  dayOf(ms: number): number {
    const utcDay = Math.floor(ms / DAY_MS);
    if (this.formatter === null) return utcDay;
    let day = utcDay - 1;
    while (day <= utcDay && this.startOf(day + 1) <= ms) day++;
    return day;
  }

  /** Returns the first moment of a calendar date. */
  startOf(day: number): number {
    if (this.formatter === null) return day * DAY_MS;
    const known = this.starts.get(day);
    if (known !== undefined) return known;
    const start = this.findStart(day);
    if (this.starts.size >= MAX_CACHED_DAYS) this.starts.clear();
    this.starts.set(day, start);
    return start;
  }

  /**
   * Adds calendar days to a moment and keeps the time of day. If the clocks skip that time on the new day, the result
   * is later by the length of the gap.
   */
  addDays(ms: number, days: number): number {
    if (days === 0 || this.formatter === null) return ms + days * DAY_MS;
    return this.toMoment(ms + this.offsetAt(ms) + days * DAY_MS);
  }

  private findStart(day: number): number {
    const local = day * DAY_MS;
    const start = this.toMoment(local);
    const offsetAfter = this.offsetAt(start);
    if (start + offsetAfter === local) return start;
    // The clocks skip midnight, so the day begins at the moment when they change. The loop finds this moment.
    let before = start - DAY_MS / 2;
    let after = start;
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2);
      if (this.offsetAt(middle) === offsetAfter) after = middle;
      else before = middle;
    }
    return after;
  }

  /**
   * Converts local time to a moment. A local time that occurs twice becomes the earlier moment. A local time inside a
   * gap is moved forward by the length of the gap.
   */
  private toMoment(local: number): number {
    const offsetBefore = this.offsetAt(local - DAY_MS);
    const offsetAfter = this.offsetAt(local + DAY_MS);
    const earlier = local - offsetBefore;
    if (offsetBefore === offsetAfter || this.offsetAt(earlier) === offsetBefore) return earlier;
    const later = local - offsetAfter;
    return this.offsetAt(later) === offsetAfter ? later : earlier;
  }

  /** Returns by how many milliseconds local time is ahead of UTC. */
  private offsetAt(ms: number): number {
    const moment = Math.min(Math.max(ms, FIRST_MOMENT_MS + 2 * DAY_MS), LAST_MOMENT_MS);
    const fields = new Map(this.formatter?.formatToParts(moment).map(({ type, value }) => [type, Number(value)]));
    const field = (type: Intl.DateTimeFormatPartTypes): number => fields.get(type) ?? 0;
    const local = new Date(0);
    local.setUTCFullYear(field('year'), field('month') - 1, field('day'));
    local.setUTCHours(field('hour'), field('minute'), field('second'));
    return local.getTime() - Math.floor(moment / 1000) * 1000;
  }
}

const zones = new Map<unknown, TimeZone>([['UTC', new TimeZone(null)]]);

/** Returns the zone of an IANA name. @throws {ContextError} when no zone has this name */
export function timeZoneOf(name: unknown): TimeZone {
  const known = zones.get(name);
  if (known !== undefined) return known;
  const zone = createZone(name);
  if (zones.size < MAX_CACHED_ZONES) zones.set(name, zone);
  return zone;
}

function createZone(name: unknown): TimeZone {
  // `Intl` would read undefined as the time zone of the process.
  if (typeof name !== 'string') throw unknownZone(name);
  try {
    const fields = { year: 'numeric', month: 'numeric', day: 'numeric' } as const;
    const clock = { hour: 'numeric', minute: 'numeric', second: 'numeric', hourCycle: 'h23' } as const;
    return new TimeZone(new Intl.DateTimeFormat('en-US', { timeZone: name, ...fields, ...clock }));
  } catch {
    throw unknownZone(name);
  }
}

const unknownZone = (name: unknown): ContextError =>
  new ContextError('`timeZone` to be the IANA name of a time zone, such as "Europe/Berlin"', name);
