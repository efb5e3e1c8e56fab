import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ConcurrencySlots, Progress } from './concurrency-slots.js';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** Creates work that runs until the test calls `end`. */
function createWork(): { work: Promise<void>; end: () => void } {
  let end: () => void = () => undefined;
  const work = new Promise<void>((resolve) => (end = resolve));
  return { work, end };
}
/** Returns an object whose `isOver` becomes true when the promise resolves. */
function watch(promise: Promise<void>): { isOver: boolean } {
  const state = { isOver: false };
  void promise.then(() => (state.isOver = true));
  return state;
}
const pass = (ms: number): Promise<void> => jest.advanceTimersByTimeAsync(ms);

describe('ConcurrencySlots', () => {
  it('frees a slot when its attempt ends, or after 250 ms when the attempt hangs', async () => {
    const slots = new ConcurrencySlots();
    const [quick, slow] = [createWork(), createWork()];
    const [first, second] = [watch(slots.hold(quick.work)), watch(slots.hold(slow.work))];
    quick.end();
    await pass(249);
    expect([first.isOver, second.isOver]).toEqual([true, false]);
    await pass(1);
    expect(second.isOver).toBe(true);
    const drained = watch(slots.drain());
    await pass(5_000);
    expect(drained.isOver).toBe(false);
    slow.end();
    await pass(0);
    expect(drained.isOver).toBe(true);
  });

  it('keeps a slot while its attempt makes progress', async () => {
    const slots = new ConcurrencySlots();
    const progress = new Progress();
    const moving = watch(slots.hold(createWork().work, progress));
    await pass(200);
    progress.note();
    await pass(249);
    expect(moving.isOver).toBe(false);
    await pass(1);
    expect(moving.isOver).toBe(true);
  });

  it('does not free a slot after 250 ms when too many attempts hang already', async () => {
    const slots = new ConcurrencySlots();
    const works = Array.from({ length: 601 }, createWork);
    const held = works.map(({ work }) => watch(slots.hold(work)));
    await pass(2_000);
    expect(held.filter(({ isOver }) => isOver)).toHaveLength(600);
    works[0]?.end();
    const late = createWork();
    const another = watch(slots.hold(late.work));
    await pass(1_000);
    expect(another.isOver).toBe(true);
  });
});
