import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { ConsumerLimitError } from '@ats/postgres';
import { ManualClock, settled } from '../../test/support/manual-clock.js';
import { CountCache } from './count-cache.js';

let clock: ManualClock;
let counts: CountCache;

beforeEach(() => {
  clock = new ManualClock();
  counts = new CountCache(2, clock, { share: 1 });
});
afterEach(() => void jest.restoreAllMocks());

const never = (): Promise<never> => new Promise(() => undefined);
const counted = (total: number) => (): Promise<{ total: number; snapshot: string }> =>
  Promise.resolve({ total, snapshot: 's1' });

let pages = 0;
/** Each page has a snapshot of its own, so equal snapshots never let the cache serve an old count. */
const count = (credentialId: number, key: string, run: () => Promise<{ total: number; snapshot: string }>) =>
  counts.count({ key, snapshot: `page ${++pages}`, since: clock.now(), credentialId, run });

describe('counts of several credentials', () => {
  test('do not wait for the slow counts of one credential', async () => {
    const slow = jest.fn(never);
    for (const key of ['a', 'b', 'c']) void count(1, key, slow);
    expect(await count(2, 'd', counted(4))).toBe(4);
    expect(slow).toHaveBeenCalledTimes(1);
  });

  test('do not wait for the same count in the queue of another credential', async () => {
    void count(1, 'slow', never);
    const queued = count(1, 'same', counted(4));
    expect(await count(2, 'same', counted(5))).toBe(5);
    // The attempt has not reached the database, so its failure must not pause the counts of other credentials.
    await clock.advance(2_001);
    expect(await queued).toBeUndefined();
    expect(await count(2, 'same', counted(6))).toBe(6);
  });

  test('are made again when a limit of another credential has ended the shared count', async () => {
    let refuse: (error: Error) => void = () => undefined;
    const first = count(1, 'same', () => new Promise((_resolve, reject) => (refuse = reject)));
    const shared = count(2, 'same', counted(5));
    await settled();
    refuse(new ConsumerLimitError('database_time'));
    expect(await Promise.all([first, shared])).toEqual([undefined, 5]);
  });
});
