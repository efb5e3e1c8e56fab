/** A calendar date, or a moment in microseconds since 1970. */
export type Moment = { readonly day: number } | { readonly us: bigint };

const MS_OF_DAY = 86_400_000;
const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns how many milliseconds the clocks of a zone are ahead of UTC at a moment. */
function offsetAt(ms: number, zone: string): number {
  let format = formats.get(zone);
  if (!format) {
    const two = '2-digit';
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      calendar: 'gregory',
      era: 'short',
      hourCycle: 'h23',
      year: 'numeric',
      month: two,
      day: two,
      hour: two,
      minute: two,
      second: two,
    });
    formats.set(zone, format);
  }
  const parts = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, value]));
  const [year, month, day, hour, minute, second] = ['year', 'month', 'day', 'hour', 'minute', 'second'].map((name) =>
    Number(parts[name]),
  ) as [number, number, number, number, number, number];
  // `Date.UTC` would read the years 0 to 99 as 1900 to 1999. `setUTCFullYear` does not, and its year 0 is 1 BC.
  const local = new Date(0);
  local.setUTCFullYear(parts['era'] === 'BC' ? 1 - year : year, month - 1, day);
  return local.setUTCHours(hour, minute, second) - Math.floor(ms / 1000) * 1000;
}

/**
 * Returns the moment at which the clocks of a zone show a local time. For a time that the clocks skip, the offset from
 * before the gap applies.
 */
function atClock(local: number, zone: string): number {
  const before = offsetAt(local - MS_OF_DAY, zone);
  const after = offsetAt(local + MS_OF_DAY, zone);
  const fitting = [local - before, local - after].filter((ms) => ms + offsetAt(ms, zone) === local);
  return fitting.length > 0 ? Math.min(...fitting) : local - before;
}

const startOf = (day: number, zone: string): bigint => BigInt(atClock(day * MS_OF_DAY, zone)) * 1000n;

/** Reads a date or a timestamp; undefined for any other text. */
export function readMoment(text: string): Moment | undefined {
  const match = /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d(?::\d\d)?)(?:\.(\d+))?([Zz]|[+-]\d\d:?\d\d))?$/.exec(text);
  if (!match) return undefined;
  const [, date = '', time, fraction = '', zone = 'Z'] = match;
  if (time === undefined) return { day: Date.parse(`${date}T00:00:00Z`) / MS_OF_DAY };
  const ms = Date.parse(`${date}T${time}${zone.toUpperCase()}`);
  return { us: BigInt(ms) * 1000n + BigInt(fraction.slice(0, 6).padEnd(6, '0')) };
}

/** Returns the calendar day of a moment in a time zone. */
export function dayOf(ms: number, zone: string): Moment {
  return { day: Math.floor((ms + offsetAt(ms, zone)) / MS_OF_DAY) };
}

/** Adds calendar days first, and then an exact time. A date with an added time becomes a timestamp. */
export function move(moment: Moment, parts: readonly number[], sign: number, zone: string): Moment {
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = parts.map((part) => part * sign);
  const exact = BigInt(hours * 3600 + minutes * 60 + seconds) * 1_000_000n;
  if ('day' in moment) {
    const day = moment.day + days;
    return hours || minutes || seconds ? { us: startOf(day, zone) + exact } : { day };
  }
  if (days === 0) return { us: moment.us + exact };
  const rest = ((moment.us % 1000n) + 1000n) % 1000n;
  const ms = Number((moment.us - rest) / 1000n);
  const moved = atClock(ms + offsetAt(ms, zone) + days * MS_OF_DAY, zone);
  return { us: BigInt(moved) * 1000n + rest + exact };
}

/** Returns a negative number, 0 or a positive number. A date beside a timestamp means the whole day. */
export function orderOf(a: Moment, b: Moment, zone: string): number {
  if ('day' in a && 'day' in b) return a.day - b.day;
  if ('us' in a && 'us' in b) return a.us < b.us ? -1 : a.us > b.us ? 1 : 0;
  if ('day' in a) return -orderOf(b, a, zone);
  if (!('day' in b)) throw new Error('expected at least one value to be a date');
  return a.us < startOf(b.day, zone) ? -1 : a.us < startOf(b.day + 1, zone) ? 0 : 1;
}
