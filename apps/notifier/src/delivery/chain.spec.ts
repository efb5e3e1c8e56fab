import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Progress } from '../queues/concurrency-slots.js';
import { Chain } from './chain.js';
import { type ClaimedDelivery } from './store/claimed-deliveries.js';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const CLAIMED = new Date('2026-01-01T00:00:00Z');
const delivery = (id: number): ClaimedDelivery =>
  ({ id, claimed_dt: CLAIMED, claimedAt: performance.now() }) as unknown as ClaimedDelivery;
const pass = (ms: number): Promise<void> => jest.advanceTimersByTimeAsync(ms);

/** Runs a chain with the deliveries 0 to `followers`, and records what happens. */
function run({
  followers = 3,
  attemptMs = () => 10,
  storeMs = 1,
  followMs = 0,
  failing = [],
  stopAfter = Infinity,
}: {
  followers?: number;
  attemptMs?: (id: number) => number;
  storeMs?: number;
  followMs?: number;
  failing?: readonly number[];
  stopAfter?: number;
} = {}): { log: string[]; times: number[]; paces: number[]; sent: Promise<void>; progress: Progress } {
  const log: string[] = [];
  const paces: number[] = [];
  const times: number[] = [];
  const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
  const progress = new Progress();
  const chain = new Chain(
    {
      attempt: async ({ id, claimed_dt: started }: ClaimedDelivery) => {
        log.push(`send ${id}`);
        times.push(started.getTime() - CLAIMED.getTime());
        await wait(attemptMs(id));
        return {
          isSuccess: !failing.includes(id),
          store: async () => {
            await wait(storeMs);
            log.push(`stored ${id}`);
          },
        };
      },
      follow: async () => {
        await wait(followMs);
        return Array.from({ length: followers }, (_, index) => delivery(index + 1));
      },
      release: (unsent) => {
        log.push(`release ${unsent.map(({ id }) => id).join()}`);
        return Promise.resolve();
      },
      notePace: (paceMs) => void paces.push(paceMs),
      isStopping: () => log.length >= stopAfter,
    },
    progress,
  );
  return { log, times, paces, sent: chain.send(delivery(0)), progress };
}

describe('a chain of deliveries', () => {
  it('sends its followers one after the other, and stores each result while the next is sent', async () => {
    const { log, times, sent } = run({ followers: 2 });
    await pass(1_000);
    await sent;
    expect(log).toEqual(['send 0', 'send 1', 'stored 0', 'send 2', 'stored 1', 'stored 2']);
    expect(times).toEqual([0, 10, 20]);
  });

  it('never has more than two messages without a stored result', async () => {
    const { log, sent } = run({ storeMs: 100 });
    await pass(5_000);
    await sent;
    let most = 0;
    let open = 0;
    for (const entry of log) {
      open += entry.startsWith('send') ? 1 : -1;
      most = Math.max(most, open);
    }
    expect(most).toBe(2);
  });

  it('keeps the first result until the followers are claimed, so that its slot stays in use', async () => {
    const { log } = run({ followMs: 100, followers: 1 });
    await pass(99);
    expect(log).toEqual(['send 0']);
    await pass(100);
    expect(log).toEqual(['send 0', 'send 1', 'stored 0', 'stored 1']);
  });

  it('releases the remaining followers after a failed attempt', async () => {
    const { log, sent } = run({ failing: [1] });
    await pass(1_000);
    await sent;
    expect(log).toEqual(['send 0', 'send 1', 'stored 0', 'release 2,3', 'stored 1']);
  });

  it('releases the remaining followers as soon as an attempt hangs', async () => {
    const { log, sent } = run({ attemptMs: (id) => (id === 1 ? 10_000 : 10) });
    await pass(259);
    expect(log).toEqual(['send 0', 'send 1', 'stored 0']);
    await pass(1);
    expect(log).toEqual(['send 0', 'send 1', 'stored 0', 'release 2,3']);
    await pass(10_000);
    await sent;
    expect(log.at(-1)).toBe('stored 1');
  });

  it('releases followers that are claimed after the first attempt began to hang', async () => {
    const { log, sent } = run({ attemptMs: () => 5_000, followMs: 1_000, followers: 2 });
    await pass(1_000);
    expect(log).toEqual(['send 0', 'release 1,2']);
    await pass(5_000);
    await sent;
    expect(log.at(-1)).toBe('stored 0');
  });

  it('ends early when the process stops or when it takes too long', async () => {
    const stopped = run({ stopAfter: 3 });
    await pass(1_000);
    await stopped.sent;
    expect(stopped.log).toEqual(['send 0', 'send 1', 'stored 0', 'release 2,3', 'stored 1']);
    const slow = run({ followers: 20, attemptMs: () => 200 });
    await pass(10_000);
    await slow.sent;
    expect(slow.log.filter((entry) => entry.startsWith('send'))).toHaveLength(8);
  });

  it('reports the time that each message takes, including the wait for the result before it', async () => {
    const { paces, sent } = run({ followers: 2, storeMs: 50 });
    await pass(1_000);
    await sent;
    expect(paces).toEqual([10, 50]);
  });

  it('reports its progress after each attempt', async () => {
    const { progress } = run({ attemptMs: () => 200 });
    await pass(390);
    expect(progress.idleMs()).toBe(190);
  });
});
