import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { checkExpression, compileExpression, DatapathSyntaxError, parseExpression } from '../../index.js';
import { contextOf, model, roots } from '../../../test/recruiting.js';
import { evaluateDate } from './constant-date.js';

const clock = { now: new Date('2026-03-29T23:30:00Z'), timeZone: 'Europe/Berlin' };
const HOUR_MS = 3_600_000;

describe('evaluateDate', () => {
  it('uses the calendar of the time zone for DATE("today") and for days of a duration', () => {
    expect(evaluateDate('DATE("today")', clock).day).toBe('2026-03-30');
    expect(evaluateDate('DATE("today") - DTDURATION(7,0,0,0)', clock).day).toBe('2026-03-23');
  });

  it('returns a range of 23 hours for the day on which the clocks skip an hour', () => {
    const { isDay, from, to } = evaluateDate('DATE("today") - DTDURATION(1,0,0,0)', clock);
    expect([isDay, new Date(from).toISOString(), (to - from) / HOUR_MS]).toEqual([
      true,
      '2026-03-28T23:00:00.000Z',
      23,
    ]);
  });

  it('returns a range of one millisecond for a timestamp', () => {
    const { isDay, day, from, to } = evaluateDate('DATE("now") - DTDURATION(0,2,0,0)', clock);
    expect([isDay, day, from, to - from]).toEqual([false, '2026-03-29', clock.now.getTime() - 2 * HOUR_MS, 1]);
  });

  it.each([
    'application.created_dt',
    'DATE("today") + 1',
    'DTDURATION(1,0,0,0)',
    'DATE("yesterday")',
    'DATE("today") == DATE("today")',
    '"2026-01-01"',
    'DATE("9999-12-31") + DTDURATION(1,0,0,0)',
    'DATE("0001-01-01") - DTDURATION(1,0,0,0)',
    'DATE("today"',
    '',
  ])('rejects %j', (text) => {
    expect(() => evaluateDate(text, clock)).toThrow(DatapathSyntaxError);
  });

  it('agrees with expressions for random dates, durations and time zones', () => {
    const zones = ['UTC', 'Europe/Berlin', 'Pacific/Auckland', 'America/St_Johns'];
    const duration = fc.tuple(fc.integer({ min: -999, max: 999 }), fc.integer({ min: -99, max: 99 }));
    fc.assert(
      fc.property(
        fc.date({ min: new Date('1990-01-01'), max: new Date('2060-01-01'), noInvalidDate: true }),
        fc.constantFrom(...zones),
        fc.constantFrom('today', 'now', '2026-10-25'),
        duration,
        (now, timeZone, start, [days, hours]) => {
          const text = `DATE("${start}") + DTDURATION(${String(days)},${String(hours)},0,0)`;
          const date = evaluateDate(text, { now, timeZone });
          const holds = (created: number): boolean => {
            const condition = `application.created_dt == ${text}`;
            const compiled = compileExpression(checkExpression(parseExpression(condition), model, roots));
            const value = new Date(created).toISOString();
            return compiled.test(contextOf({ 'application.created_dt': value }, { now, timeZone }));
          };
          expect([date.from - 1, date.from, date.to - 1, date.to].map(holds)).toEqual([false, true, true, false]);
        },
      ),
      { numRuns: 200 },
    );
  });
});
