import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Reading } from './reading.js';

let now = 0;
let asked = 0;
let answer: () => Promise<string> = () => Promise.resolve('first');
const reading = (): Reading<string> => new Reading({ now: () => now, read: () => (asked++, answer()) });
/** Lets this much time go by, for the clock and for timers. */
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

describe('a reading', () => {
  it('asks once for all who look within two seconds', async () => {
    const one = reading();
    expect(await Promise.all([one.get(), one.get()])).toEqual(['first', 'first']);
    await pass(1_999);
    await one.get();
    expect(asked).toBe(1);
    await pass(1);
    await one.get();
    expect(asked).toBe(2);
  });

  it('tells what was known for half a minute when there is no answer, and that it is not up', async () => {
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

  it('waits no longer than 0.8 seconds, asks nobody twice at a time, and takes a late answer', async () => {
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
