import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Reading } from './reading.js';

let now = 0;
let asked = 0;
let answer: () => Promise<string> = () => Promise.resolve('first');
const reading = (): Reading<string> => new Reading({ now: () => now, read: () => (asked++, answer()) });
/** Moves the clock and the timers forward. */
async function pass(ms: number): Promise<void> {
  now += ms;
  await jest.advanceTimersByTimeAsync(ms);
}

beforeEach(() => {
  jest.useFakeTimers();
  now = 0;
  asked = 0;
  answer = () => Promise.resolve('first');
});
afterEach(() => void jest.useRealTimers());

describe('a reading of values for metrics', () => {
  it('reads once for all readers within two seconds', async () => {
    const one = reading();
    expect(await Promise.all([one.get(), one.get()])).toEqual(['first', 'first']);
    await pass(1_999);
    await one.get();
    expect(asked).toBe(1);
    await pass(1);
    await one.get();
    expect(asked).toBe(2);
  });

  it('returns the last value for 30 s while reads fail, and sets isUp to false', async () => {
    const one = reading();
    await one.get();
    expect(one.isUp).toBe(true);
    answer = () => Promise.reject(new Error('away'));
    await pass(29_999);
    expect(await one.get()).toBe('first');
    expect(one.isUp).toBe(false);
    await pass(1);
    expect(await one.get()).toBeNull();
  });

  it('waits at most 0.8 s, sends one request at a time, and accepts a late answer', async () => {
    const one = reading();
    let come: (text: string) => void = () => undefined;
    answer = () => new Promise((resolve) => (come = resolve));
    const early = one.get();
    await pass(800);
    expect(await early).toBeNull();
    expect(one.isUp).toBe(false);
    const again = one.get();
    come('late');
    expect(await again).toBe('late');
    expect(one.isUp).toBe(true);
    expect(asked).toBe(1);
  });
});
