import { describe, expect, test } from '@jest/globals';
import { holds } from '../../../test/recruiting.js';
import { parseDay } from '../syntax/calendar.js';
import { timeZoneOf } from './time-zone.js';

const closing = 'posting.closing_date';
const closingDt = 'posting.closing_dt';

describe('days of a time zone', () => {
  const starts: readonly (readonly [string, string, string])[] = [
    ['Europe/Vienna', '2026-03-29', '2026-03-28T23:00:00.000Z'],
    ['Europe/Vienna', '2026-03-30', '2026-03-29T22:00:00.000Z'],
    ['Europe/Vienna', '2026-10-26', '2026-10-25T23:00:00.000Z'],
    ['America/New_York', '2026-11-02', '2026-11-02T05:00:00.000Z'],
    ['America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00.000Z'], // The clocks skip from 0:00 to 1:00.
    ['America/Havana', '2026-11-01', '2026-11-01T04:00:00.000Z'], // 0:00 occurs twice.
    ['America/Toronto', '1919-03-31', '1919-03-31T04:30:00.000Z'], // The clocks skip from 23:30 to 0:30.
    ['Asia/Kolkata', '2026-01-01', '2025-12-31T18:30:00.000Z'],
    ['Pacific/Apia', '2011-12-31', '2011-12-30T10:00:00.000Z'], // 2011-12-30 does not exist.
  ];
  test.each(starts)('in %s: %s starts at %s', (zone, day, start) => {
    expect(new Date(timeZoneOf(zone).startOf(parseDay(day) ?? NaN)).toISOString()).toBe(start);
  });

  test('begin with their first moment and end before the next day', () => {
    for (const name of ['UTC', 'Europe/Vienna', 'America/Sao_Paulo', 'Pacific/Apia', 'Asia/Kathmandu']) {
      const zone = timeZoneOf(name);
      for (let day = parseDay('2018-10-20') ?? NaN; day < (parseDay('2018-11-20') ?? NaN); day++) {
        expect(zone.dayOf(zone.startOf(day))).toBe(day);
        expect(zone.dayOf(zone.startOf(day + 1) - 1)).toBe(day);
      }
    }
  });

  test('keep the time of day when they are added across a change of the clocks', () => {
    const options = { timeZone: 'Europe/Vienna', now: new Date('2026-03-30T10:00:00Z') };
    expect(
      holds(
        'posting.closing_dt == DATE("now") - DTDURATION(2,0,0,0)',
        { [closingDt]: '2026-03-28T11:00:00Z' },
        options,
      ),
    ).toBe(true);
    expect(
      holds(
        'posting.closing_dt == DATE("now") - DTDURATION(0,48,0,0)',
        { [closingDt]: '2026-03-28T10:00:00Z' },
        options,
      ),
    ).toBe(true);
    expect(
      holds('posting.closing_date == DATE("today") - DTDURATION(2,0,0,0)', { [closing]: '2026-03-28' }, options),
    ).toBe(true);
    expect(
      holds(
        'posting.closing_dt == DATE("today") - DTDURATION(2,-9,0,0)',
        { [closingDt]: '2026-03-28T08:00:00Z' },
        options,
      ),
    ).toBe(true);
  });

  test('move a skipped time of day to a later time, by the length of the gap', () => {
    const options = { timeZone: 'Europe/Vienna', now: new Date('2026-03-28T01:30:00Z') };
    expect(
      holds(
        'posting.closing_dt == DATE("now") + DTDURATION(1,0,0,0)',
        { [closingDt]: '2026-03-29T01:30:00Z' },
        options,
      ),
    ).toBe(true);
  });
});
