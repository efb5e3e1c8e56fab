import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type Amount, PollLoop } from './poll-loop.js';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** Creates a loop whose rounds take no time. They return `answers` one by one, and then `none`. */
function createLoop(
  answers: (Amount | Error)[] = [],
  restMs = 0,
): { loop: PollLoop; runs: () => number; errors: unknown[] } {
  let runs = 0;
  const errors: unknown[] = [];
  const work = (): Promise<Amount> => {
    runs += 1;
    const answer = answers.shift() ?? 'none';
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  };
  return {
    loop: new PollLoop({ work, busyMs: 100, idleMs: 1_000, restMs, onError: (error) => errors.push(error) }),
    runs: () => runs,
    errors,
  };
}
const pass = (ms: number): Promise<void> => jest.advanceTimersByTimeAsync(ms);

describe('PollLoop', () => {
  it('starts the next round at once, soon or later, depending on the amount of work', async () => {
    const { loop, runs } = createLoop(['more', 'some', 'none']);
    loop.start();
    await pass(0);
    expect(runs()).toBe(2);
    await pass(99);
    expect(runs()).toBe(2);
    await pass(1);
    expect(runs()).toBe(3);
    await pass(999);
    expect(runs()).toBe(3);
    await pass(1);
    expect(runs()).toBe(4);
    await loop.stop();
  });

  it('starts a round at once when woken', async () => {
    const { loop, runs } = createLoop();
    loop.start();
    await pass(10);
    loop.wake();
    await pass(0);
    expect(runs()).toBe(2);
    await loop.stop();
  });

  it('waits between two rounds even when woken, and starts at once when woken after a longer pause', async () => {
    const { loop, runs } = createLoop([], 25);
    loop.start();
    for (let count = 0; count < 5; count++) {
      loop.wake();
      await pass(1);
    }
    expect(runs()).toBe(1);
    await pass(20);
    expect(runs()).toBe(2);
    await pass(500);
    loop.wake();
    await pass(0);
    expect(runs()).toBe(3);
    loop.wake();
    const stopped = loop.stop();
    await pass(0);
    await stopped;
    expect(runs()).toBe(3);
  });

  it('rests after a long round as long as it took, at most busyMs, even when woken', async () => {
    let runs = 0;
    const work = async (): Promise<Amount> => {
      runs += 1;
      await new Promise((resolve) => setTimeout(resolve, runs === 1 ? 40 : 300));
      loop.wake();
      return 'some';
    };
    const loop = new PollLoop({ work, busyMs: 100, idleMs: 1_000, restMs: 25, onError: () => undefined });
    loop.start();
    await pass(79);
    expect(runs).toBe(1);
    await pass(1);
    expect(runs).toBe(2);
    await pass(399);
    expect(runs).toBe(2);
    await pass(1);
    expect(runs).toBe(3);
    const stopped = loop.stop();
    await pass(300);
    await stopped;
  });

  it('starts one more round when woken during a round', async () => {
    let finish: () => void = () => undefined;
    let runs = 0;
    const work = (): Promise<Amount> => {
      runs += 1;
      return new Promise((resolve) => (finish = () => resolve('none')));
    };
    const loop = new PollLoop({ work, busyMs: 100, idleMs: 1_000, onError: () => undefined });
    loop.start();
    loop.wake();
    loop.wake();
    expect(runs).toBe(1);
    finish();
    await pass(0);
    expect(runs).toBe(2);
    finish();
    await pass(999);
    expect(runs).toBe(2);
    await loop.stop();
  });

  it('continues after a failure when the idle pause has passed', async () => {
    const { loop, runs, errors } = createLoop([new Error('a fault')]);
    loop.start();
    await pass(999);
    expect([runs(), errors.length]).toEqual([1, 1]);
    await pass(1);
    expect(runs()).toBe(2);
    await loop.stop();
  });

  it('finishes its round before it stops, and starts no other round', async () => {
    let finish: () => void = () => undefined;
    let runs = 0;
    const work = (): Promise<Amount> => {
      runs += 1;
      return new Promise((resolve) => (finish = () => resolve('more')));
    };
    const loop = new PollLoop({ work, busyMs: 100, idleMs: 1_000, onError: () => undefined });
    loop.start();
    let isStopped = false;
    const stopped = loop.stop().then(() => (isStopped = true));
    await pass(5_000);
    expect(isStopped).toBe(false);
    finish();
    await stopped;
    expect(runs).toBe(1);
  });
});
