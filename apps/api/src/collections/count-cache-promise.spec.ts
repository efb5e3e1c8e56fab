import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { ManualClock } from '../../test/support/manual-clock.js';
import { CountCache, type CountResult } from './count-cache.js';

interface Commit {
  readonly at: number;
  readonly credentialId: number;
}

/**
 * A collection that grows by one item with each commit, so that a count equals the number of commits that it includes.
 */
class GrowingCollection {
  readonly commits: Commit[] = [];

  constructor(readonly clock: ManualClock) {}

  see = (): CountResult => ({ total: this.commits.length, snapshot: String(this.commits.length) });

  /** Returns the number of items at the time `moment`. */
  totalAt = (moment: number): number => this.commits.filter(({ at }) => at <= moment).length;
}

const wait = (clock: ManualClock, ms: number): Promise<void> => new Promise((resolve) => void clock.after(ms, resolve));

const milliseconds = (max: number) => fc.oneof(fc.integer({ min: 0, max: 10 }), fc.integer({ min: 0, max }));
const event = fc.record({
  gap: milliseconds(1_500),
  kind: fc.constantFrom('write', 'read', 'read', 'read'),
  credentialId: fc.integer({ min: 1, max: 3 }),
  key: fc.constantFrom('a', 'b', 'c'),
  /** Milliseconds from the request to the snapshot of the page, and from this snapshot to the end of the read. */
  page: fc.tuple(milliseconds(400), milliseconds(400)),
});
/** Milliseconds from the start of a count to its snapshot, and from this snapshot to its result. */
const countTimes = (max: number) =>
  fc.array(fc.tuple(milliseconds(max), milliseconds(max)), { minLength: 1, maxLength: 20 });

/** A served count, with the lowest and the highest value that it may have. */
interface Served {
  readonly total: number | undefined;
  readonly page: number;
  readonly oldest: number;
  readonly newest: number;
  readonly own: number;
}

async function play(
  events: readonly (typeof event extends fc.Arbitrary<infer Event> ? Event : never)[],
  times: readonly (readonly [number, number])[],
): Promise<Served[]> {
  const clock = new ManualClock();
  const collection = new GrowingCollection(clock);
  const counts = new CountCache(2, clock);
  const served: Served[] = [];
  let counted = 0;

  const run = async (): Promise<CountResult> => {
    const [before, after] = times[counted++ % times.length] ?? [0, 0];
    await wait(clock, before);
    const result = collection.see();
    await wait(clock, after);
    return result;
  };

  const read = async ({ credentialId, key, page }: (typeof events)[number]): Promise<void> => {
    const since = clock.now();
    const own = collection.commits.findLastIndex((commit) => commit.credentialId === credentialId) + 1;
    await wait(clock, page[0]);
    const { snapshot, total } = collection.see();
    await wait(clock, page[1]);
    const answer = await counts.count({ key, snapshot, since, credentialId, run });
    served.push({
      total: answer,
      page: total,
      oldest: collection.totalAt(clock.now() - 2_000),
      newest: collection.commits.length,
      own,
    });
  };

  for (const { gap, ...rest } of events) {
    await clock.advance(gap);
    if (rest.kind === 'read') void read({ gap, ...rest });
    else {
      collection.commits.push({ at: clock.now(), credentialId: rest.credentialId });
      counts.noteWrite(rest.credentialId);
    }
  }
  await clock.advance(10_000);
  return served;
}

describe('for any sequence of reads and writes', () => {
  test("a count is at most two seconds old, or as old as the page, and includes the client's own writes", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(event, { maxLength: 60 }), countTimes(1_500), async (events, times) => {
        for (const { total, page, oldest, newest, own } of await play(events, times)) {
          if (total === undefined) continue;
          expect(total).toBeGreaterThanOrEqual(Math.min(page, oldest));
          expect(total).toBeGreaterThanOrEqual(own);
          expect(total).toBeLessThanOrEqual(newest);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('every request for a page succeeds, and its answer has a count while counting is fast', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(event, { maxLength: 60 }), countTimes(100), async (events, times) => {
        const served = await play(events, times);
        expect(served).toHaveLength(events.filter(({ kind }) => kind === 'read').length);
        expect(served.map(({ total }) => total)).not.toContain(undefined);
      }),
      { numRuns: 100 },
    );
  });
});
