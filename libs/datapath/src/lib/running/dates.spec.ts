import { describe, expect, test } from '@jest/globals';
import { holds, NOW } from '../../../test/recruiting.js';
import { formatDay, parseDay, parseMoment } from '../syntax/calendar.js';

const closing = 'posting.closing_date';
const closingDt = 'posting.closing_dt';

describe('an ISO date', () => {
  test.each(['1970-01-01', '0001-01-01', '2024-02-29', '2000-02-29', '2026-12-31', '9999-12-31', '1969-12-31'])(
    'can be written as %s',
    (text) => {
      const day = parseDay(text);
      expect(day).toBe(Date.parse(text) / 86_400_000);
      expect(formatDay(day ?? NaN)).toBe(text);
    },
  );

  test.each([
    '2026-02-30',
    '2026-02-29',
    '1900-02-29',
    '2026-13-01',
    '2026-00-10',
    '2026-01-00',
    '0000-01-01',
    '2026-1-01',
    '20260101',
    '2026/01/01',
    '+2026-01-01',
    '2026-01-01 ',
    '２026-01-01',
    '',
  ])('cannot be written as %j', (text) => {
    expect(parseDay(text)).toBeUndefined();
  });
});

describe('an ISO timestamp', () => {
  test.each([
    '2026-11-21T10:00Z',
    '2026-11-21T10:00:59Z',
    '2026-11-21T10:00:00.5Z',
    '2026-11-21T23:30:00.123+02:00',
    '2026-11-21T00:30-11:30',
  ])('can be written as %s', (text) => {
    expect(parseMoment(text)).toBe(Date.parse(text));
  });

  test.each([
    // Timestamps without seconds, and with each form of offset.
    ['2026-11-21T10:00+02', '2026-11-21T08:00:00.000Z'],
    ['2026-11-21T10:00+0230', '2026-11-21T07:30:00.000Z'],
    ['2026-11-21T10:00:00-0000', '2026-11-21T10:00:00.000Z'],
    ['2026-11-21T10:00-23:59', '2026-11-22T09:59:00.000Z'],
    // RFC 3339 allows lower case letters and a blank. ISO 8601 allows a comma.
    ['2026-11-21t10:00z', '2026-11-21T10:00:00.000Z'],
    ['2026-11-21 10:00:00+00', '2026-11-21T10:00:00.000Z'],
    ['2026-11-21T10:00:00,25Z', '2026-11-21T10:00:00.250Z'],
    // The basic format of ISO 8601 has no separators.
    ['20261121T1000Z', '2026-11-21T10:00:00.000Z'],
    ['20261121T100059Z', '2026-11-21T10:00:59.000Z'],
    ['20261121T100059.5+0100', '2026-11-21T09:00:59.500Z'],
    ['20261121t100059-01:30', '2026-11-21T11:30:59.000Z'],
    // 24:00 is the end of a day.
    ['2026-12-31T24:00Z', '2027-01-01T00:00:00.000Z'],
    ['2026-11-21T24:00:00.000+01:00', '2026-11-21T23:00:00.000Z'],
    ['20261121T240000Z', '2026-11-22T00:00:00.000Z'],
    // Digits after the milliseconds are dropped.
    ['2026-11-21T10:00:00.123456Z', '2026-11-21T10:00:00.123Z'],
    ['2026-11-21T10:00:00.1239999999999Z', '2026-11-21T10:00:00.123Z'],
  ])('reads %s as %s', (text, moment) => {
    expect(parseMoment(text)).toBe(Date.parse(moment));
  });

  test.each([
    '2026-11-21T10:00',
    '2026-11-21T10:00:00.000',
    '20261121T100000',
    '2026-11-21 10:00',
    '2026-11-21',
    '2026-11-21Z',
    '20261121Z',
    '2026-11-21T24:01Z',
    '2026-11-21T24:00:00.001Z',
    '2026-11-21T25:00Z',
    '9999-12-31T24:00Z',
    '2026-11-21T10:60Z',
    '2026-11-21T10:00:60Z',
    '2026-11-21T10:00:00.Z',
    '2026-11-21T10:00.5Z',
    '2026-11-21T10:00+2:00',
    '2026-11-21T10:00+2',
    '2026-11-21T10:00+200',
    '2026-11-21T10:00+02:0',
    '2026-11-21T10:00+02:',
    '2026-11-21T10:00+24:00',
    '2026-11-21T10:00 02:00',
    '2026-11-21T10:00\u221202:00',
    '2026-11-21T10Z',
    '2026-11-21T1000Z',
    '2026-11-2110:00Z',
    '20261121T10:00Z',
    '202611-21T1000Z',
    '2026-1121T10:00Z',
    '2026-11-21  10:00Z',
    '2026-W47-6T10:00Z',
    '2026-325T10:00Z',
    '2026-02-30T10:00Z',
    '20260230T1000Z',
    '00000101T0000Z',
    '2026-11-21T10:00Zx',
    '2026-11-21T10:00Z ',
    ' 2026-11-21T10:00Z',
    '0001-01-01T00:00+01:00',
    '',
  ])('cannot be written as %j', (text) => {
    expect(parseMoment(text)).toBeUndefined();
  });
});

describe('dates compared with dates', () => {
  const table: readonly (readonly [string, string, boolean])[] = [
    ['posting.closing_date == DATE("2026-11-21")', '2026-11-21', true],
    ['posting.closing_date < DATE("2026-11-21")', '2026-11-21', false],
    ['posting.closing_date <= DATE("2026-11-21")', '2026-11-21', true],
    ['posting.closing_date > DATE("2026-11-21")', '2026-11-22', true],
    ['posting.closing_date == DATE("today")', '2026-11-21', true],
    ['DATE("today") >= posting.closing_date', '2026-11-21', true],
    ['DATE("today") > posting.closing_date', '2026-11-21', false],
    ['posting.closing_date == DATE("today") + DTDURATION(10,0,0,0)', '2026-12-01', true],
    ['posting.closing_date == DATE("today") + -DTDURATION(1,0,0,0)', '2026-11-20', true],
    ['posting.closing_date == DATE("today") - DTDURATION(-1,0,0,0)', '2026-11-22', true],
    ['posting.closing_date + DTDURATION(7,0,0,0) < DATE("today")', '2026-11-13', true],
    ['posting.closing_date == DATE("today") - (DTDURATION(1,0,0,0) + DTDURATION(2,0,0,0))', '2026-11-18', true],
  ];
  test.each(table)('%s with the closing date %s is %j', (text, value, result) => {
    expect(holds(text, { [closing]: value })).toBe(result);
  });

  test('can be two values of one object', () => {
    const values = { 'posting.opening_date': '2026-11-01', [closing]: '2026-11-30' };
    expect(holds('posting.opening_date < posting.closing_date', values)).toBe(true);
    expect(holds('posting.opening_date + DTDURATION(29,0,0,0) == posting.closing_date', values)).toBe(true);
  });
});

describe('moments compared with moments', () => {
  const table: readonly (readonly [string, unknown, boolean])[] = [
    ['posting.closing_dt == DATE("2026-11-21T10:00Z")', '2026-11-21T11:00:00.000+01:00', true],
    ['posting.closing_dt == DATE("2026-11-21T10:00Z")', new Date('2026-11-21T10:00:00Z'), true],
    ['posting.closing_dt <= DATE("now")', NOW.toISOString(), true],
    ['posting.closing_dt < DATE("now")', NOW.toISOString(), false],
    ['posting.closing_dt <= DATE("now") - DTDURATION(0,1,0,0)', '2026-11-21T08:30:00.000Z', true],
    ['posting.closing_dt <= DATE("now") - DTDURATION(0,1,0,0)', '2026-11-21T08:30:00.001Z', false],
    ['posting.closing_dt <= DATE("now") - DTDURATION(0,0,0,1)', '2026-11-21T09:29:59.001Z', false],
    ['posting.closing_dt <= DATE("now") - DTDURATION(0,0,1,0)', '2026-11-21T09:29:00.000Z', true],
    ['posting.closing_dt == DATE("today") + DTDURATION(0,8,0,0)', '2026-11-21T08:00:00.000Z', true],
    ['posting.closing_dt > posting.created_dt', '2026-11-21T08:00:00.000Z', true],
  ];
  test.each(table)('%s with the closing time %s is %j', (text, value, result) => {
    expect(holds(text, { [closingDt]: value, 'posting.created_dt': '2026-11-01T00:00:00.000Z' })).toBe(result);
  });
});

describe('a date compared with a moment means the whole day in the time zone', () => {
  const table: readonly (readonly [string, string, boolean])[] = [
    ['<= DATE("2026-11-21")', '2026-11-21T22:59:59.999Z', true],
    ['<= DATE("2026-11-21")', '2026-11-21T23:00:00.000Z', false],
    ['< DATE("2026-11-21")', '2026-11-20T22:59:59.999Z', true],
    ['< DATE("2026-11-21")', '2026-11-20T23:00:00.000Z', false],
    ['== DATE("2026-11-21")', '2026-11-20T23:00:00.000Z', true],
    ['== DATE("2026-11-21")', '2026-11-21T23:00:00.000Z', false],
    ['> DATE("2026-11-21")', '2026-11-21T22:59:59.999Z', false],
    ['> DATE("2026-11-21")', '2026-11-21T23:00:00.000Z', true],
    ['>= DATE("2026-11-21")', '2026-11-20T23:00:00.000Z', true],
    ['>= DATE("2026-11-21")', '2026-11-20T22:59:59.999Z', false],
    ['<= "2026-11-21"', '2026-11-21T22:59:59.999Z', true],
    ['IN ("2026-11-20", "2026-11-21")', '2026-11-21T22:59:59.999Z', true],
    ['NOT IN ("2026-11-20", "2026-11-22T10:00Z")', '2026-11-22T10:00:00.000Z', false],
    ['<= DATE("today")', '2026-11-21T22:59:59.999Z', true],
    ['<= DATE("today") - DTDURATION(1,0,0,0)', '2026-11-20T22:59:59.999Z', true],
  ];
  test.each(table)('closing_dt %s with the closing time %s in Vienna is %j', (condition, value, result) => {
    expect(holds(`posting.closing_dt ${condition}`, { [closingDt]: value }, { timeZone: 'Europe/Vienna' })).toBe(
      result,
    );
  });

  test('on either side of the comparison', () => {
    const options = { timeZone: 'Europe/Vienna' };
    expect(
      holds('DATE("2026-11-21") >= posting.closing_dt', { [closingDt]: '2026-11-21T22:59:59.999Z' }, options),
    ).toBe(true);
    expect(holds('posting.closing_date == DATE("2026-11-21T23:30Z")', { [closing]: '2026-11-22' }, options)).toBe(true);
    expect(
      holds(
        'posting.closing_date == posting.closing_dt',
        { [closing]: '2026-11-22', [closingDt]: '2026-11-21T23:30Z' },
        options,
      ),
    ).toBe(true);
    expect(holds('posting.closing_date <= DATE("now")', { [closing]: '2026-11-21' }, options)).toBe(true);
  });
});

describe('DATE("today")', () => {
  const table: readonly (readonly [string, string, string])[] = [
    ['2026-11-21T09:30:00Z', 'UTC', '2026-11-21'],
    ['2026-11-21T23:30:00Z', 'Europe/Vienna', '2026-11-22'],
    ['2026-11-21T09:30:00Z', 'Pacific/Auckland', '2026-11-21'],
    ['2026-11-21T11:30:00Z', 'Pacific/Auckland', '2026-11-22'],
    ['2026-11-21T09:30:00Z', 'Pacific/Honolulu', '2026-11-20'],
  ];
  test.each(table)('at %s in the time zone %j is %s', (now, timeZone, day) => {
    expect(holds(`posting.closing_date == DATE("today")`, { [closing]: day }, { now: new Date(now), timeZone })).toBe(
      true,
    );
  });

  test('is unknown without a valid clock, and so is DATE("now")', () => {
    expect(holds('posting.closing_date != DATE("today")', { [closing]: '2026-11-21' }, { now: new Date(NaN) })).toBe(
      false,
    );
    expect(
      holds('posting.closing_dt != DATE("now")', { [closingDt]: '2026-11-21T10:00Z' }, { now: new Date(NaN) }),
    ).toBe(false);
  });
});

describe('a value of the other date type', () => {
  test('is converted: a datetime to its day, a date to the start of its day', () => {
    const options = { timeZone: 'Europe/Vienna' };
    expect(holds('posting.closing_date == "2026-11-22"', { [closing]: '2026-11-21T23:30:00Z' }, options)).toBe(true);
    expect(
      holds('posting.closing_date == "2026-11-22"', { [closing]: new Date('2026-11-21T23:30:00Z') }, options),
    ).toBe(true);
    expect(holds('posting.closing_dt == "2026-11-20T23:00Z"', { [closingDt]: '2026-11-21' }, options)).toBe(true);
  });
});

test('a comparison of durations counts 24 hours for a day', () => {
  expect(holds('DTDURATION(1,0,0,0) == DTDURATION(0,24,0,0)')).toBe(true);
  expect(holds('DTDURATION(0,0,1,0) > DTDURATION(0,0,0,59)')).toBe(true);
  expect(holds('DTDURATION(1,0,0,0) - DTDURATION(0,12,0,0) == DTDURATION(0,12,0,0)')).toBe(true);
});
