import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { ConsumerLimitError } from './consumer.js';
import { Shares } from './shares.js';

/** A time that is longer than any test. */
const WAIT_MS = 3_600_000;
interface Client {
  readonly key: string;
  readonly isCostly: boolean;
  readonly isGone: boolean;
}

const client = (key: string, is: Partial<Client> = {}): Client => ({ key, isCostly: false, isGone: false, ...is });

/** A task that runs until the test ends it. */
class Task {
  isRunning = false;
  #end: () => void = () => undefined;
  readonly result: Promise<unknown>;

  constructor(
    shares: Shares,
    readonly key: string,
  ) {
    this.result = shares.run(client(key), () => {
      this.isRunning = true;
      return new Promise<void>((resolve) => (this.#end = resolve));
    });
  }

  async end(): Promise<void> {
    this.#end();
    await this.result;
    this.isRunning = false;
    await nextTurn();
  }
}

const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ arrives: fc.constantFrom('a', 'b', 'c') }) },
  { weight: 2, arbitrary: fc.record({ ends: fc.nat() }) },
);

describe('the share of a consumer in the connections', () => {
  test('allows as many tasks as configured, which run in the order of their arrival', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 4 }), fc.array(step, { maxLength: 60 }), async (share, steps) => {
        const shares = new Shares({ share, waitMs: WAIT_MS });
        let open: Task[] = [];
        const expectFair = (): void => {
          for (const key of ['a', 'b', 'c']) {
            const own = open.filter((task) => task.key === key);
            // Every consumer runs as many tasks as its share allows, independently of other consumers. Its oldest tasks
            // run first.
            expect(own.map(({ isRunning }) => isRunning)).toEqual(own.map((_, index) => index < share));
          }
          expect(shares.waiting).toBe(open.filter(({ isRunning }) => !isRunning).length);
        };
        for (const next of steps) {
          if ('arrives' in next) open.push(new Task(shares, next.arrives));
          else {
            const running = open.filter(({ isRunning }) => isRunning);
            const ended = running[next.ends % Math.max(1, running.length)];
            open = open.filter((task) => task !== ended);
            await ended?.end();
          }
          expectFair();
        }
        for (let first = open.shift(); first; first = open.shift()) await first.end();
        expect(shares.waiting).toBe(0);
      }),
      { numRuns: 200 },
    );
  });

  test('allows a costly consumer one task at a time, and other consumers more', async () => {
    const shares = new Shares({ share: 3, waitMs: WAIT_MS });
    const costly = { ...client('a'), isCostly: true };
    let [running, most] = [0, 0];
    const task = async (): Promise<void> => {
      most = Math.max(most, ++running);
      await nextTurn();
      running -= 1;
    };
    const others = Array.from({ length: 3 }, () => new Task(shares, 'b'));
    await Promise.all(Array.from({ length: 5 }, () => shares.run(costly, task)));
    expect(most).toBe(1);
    expect(others.map(({ isRunning }) => isRunning)).toEqual([true, true, true]);
    // A consumer that is not costly any more has its whole share again.
    const first = new Task(shares, 'a');
    const waiting = Array.from({ length: 5 }, () => shares.run(costly, task));
    costly.isCostly = false;
    await first.end();
    await Promise.all(waiting);
    expect(most).toBe(3);
    await Promise.all(others.map((other) => other.end()));
  });

  test('is free again when a task fails', async () => {
    const shares = new Shares({ share: 1, waitMs: WAIT_MS });
    const failed = shares.run(client('a'), () => Promise.reject(new Error('failed')));
    const next = shares.run(client('a'), () => Promise.resolve('next'));
    await expect(failed).rejects.toThrow('failed');
    await expect(next).resolves.toBe('next');
  });

  test('refuses a task that waits too long, and keeps other tasks waiting', async () => {
    jest.useFakeTimers();
    try {
      const shares = new Shares({ share: 1, waitMs: WAIT_MS });
      const running = new Task(shares, 'a');
      const refused = shares.run(client('a'), () => Promise.resolve('late')).catch((error: unknown) => error);
      jest.advanceTimersByTime(WAIT_MS - 1);
      const later = shares.run(client('a'), () => Promise.resolve('in time'));
      jest.advanceTimersByTime(1);
      expect(await refused).toEqual(new ConsumerLimitError('connections'));
      jest.useRealTimers();
      await running.end();
      await expect(later).resolves.toBe('in time');
    } finally {
      jest.useRealTimers();
    }
  });

  test('is not used by a waiting task whose client has disconnected', async () => {
    const shares = new Shares({ share: 1, waitMs: WAIT_MS });
    const running = new Task(shares, 'a');
    const task = jest.fn(() => Promise.resolve());
    const dropped = shares.run(client('a', { isGone: true }), task).catch((error: unknown) => error);
    const next = shares.run(client('a'), () => Promise.resolve('next'));
    await running.end();
    expect(await dropped).toBeInstanceOf(ConsumerLimitError);
    expect(task).not.toHaveBeenCalled();
    await expect(next).resolves.toBe('next');
  });
});
