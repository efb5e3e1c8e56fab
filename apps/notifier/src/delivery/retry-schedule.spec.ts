import { describe, expect, it } from '@jest/globals';
import { parseRetryAfter, retryDelayMs } from './retry-schedule.js';

const schedule = [5, 30, 120];
const least = (): number => 0;
const most = (): number => 1 - Number.EPSILON;

describe('retryDelayMs', () => {
  it.each([
    [1, least, 5_000],
    [1, most, 6_000],
    [2, least, 30_000],
    [3, most, 144_000],
    [4, least, null],
  ])('returns the delay after failure %i with jitter, or null after the last attempt', (failures, random, expected) => {
    expect(retryDelayMs(failures, { schedule, random, retryAfterMs: null })).toBe(expected);
  });

  it('lengthens the delay by Retry-After and never shortens it', () => {
    expect(retryDelayMs(1, { schedule, random: least, retryAfterMs: 7_000 })).toBe(7_000);
    expect(retryDelayMs(1, { schedule, random: least, retryAfterMs: 1_000 })).toBe(5_000);
  });

  it('returns null when the schedule is exhausted, regardless of Retry-After', () => {
    expect(retryDelayMs(4, { schedule, random: least, retryAfterMs: 7_000 })).toBeNull();
  });
});

describe('parseRetryAfter', () => {
  const now = new Date('2026-11-21T09:00:00Z');

  it.each([
    ['120', 120_000],
    [' 0 ', 0],
    ['86400', 86_400_000],
    ['86401', 86_400_000],
    ['99999999999999999999', 86_400_000],
    ['Sat, 21 Nov 2026 09:01:00 GMT', 60_000],
    ['Saturday, 21-Nov-26 09:01:00 GMT', 60_000],
    ['Sat Nov 21 09:01:00 2026', 60_000],
    [`Sat, 21 Nov 2026 ${'9'.repeat(300)}`, null],
    ['in 2036', null],
    ['soon, 5', null],
    ['9'.repeat(400), 86_400_000],
    ['Sat, 21 Nov 2026 08:00:00 GMT', 0],
    ['Sat, 21 Nov 2036 09:00:00 GMT', 86_400_000],
    ['', null],
    [null, null],
    ['soon', null],
    ['-5', null],
    ['1.5', null],
    ['2026-11-21', null],
    ['Sat, 99 Nov 2026 09:01:00 GMT', null],
  ])('reads %j as %j ms', (value, expected) => {
    expect(parseRetryAfter(value, now)).toBe(expected);
  });
});
