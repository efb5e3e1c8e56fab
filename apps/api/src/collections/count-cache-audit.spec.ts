import { beforeEach, describe, expect, test } from '@jest/globals';
import { ManualClock } from '../../test/support/manual-clock.js';
import { CountCache } from './count-cache.js';

const at = (end: number): string => `1.5 ${end}:${end}:`;
/** A time after which the cache no longer serves a count for a page with another snapshot. */
const LONG_MS = 5_000;
/** Duration of a count that is slow enough to be cached. */
const SLOW_MS = 6;

let clock: ManualClock;
let counts: CountCache;
let audited: Set<number>;
/** The number that the next counting statement finds. */
let total: number;

beforeEach(() => {
  clock = new ManualClock();
  audited = new Set([10, 11]);
  counts = new CountCache(2, clock, { onlyAudited: (transaction) => audited.has(transaction) });
  total = 100;
});

async function count(snapshot: string, key = 'SELECT 1'): Promise<number | undefined> {
  const run = async () => {
    await clock.advance(SLOW_MS);
    return { total, snapshot };
  };
  return counts.count({ key, snapshot, since: clock.now(), credentialId: 1, run });
}

/** Caches a count of 100 on a snapshot that ends before transaction 10. Later counts return 101. */
async function counted(key?: string): Promise<void> {
  expect(await count(at(10), key)).toBe(100);
  total = 101;
  await clock.advance(LONG_MS);
}

describe('a cached count, after transactions that only added audit entries', () => {
  beforeEach(() => counted());

  test('is served at any age', async () => {
    expect(await count(at(12))).toBe(100);
  });

  test('is compared with the last snapshot that has the same rows', async () => {
    await count(at(12));
    audited.clear();
    await clock.advance(LONG_MS);
    expect(await count(at(12))).toBe(100);
  });

  test('is made again after any other transaction', async () => {
    expect(await count(at(13))).toBe(101);
  });
});

test('a cached count of audit entries is made again', async () => {
  const key = 'SELECT count(*) FROM audit_entries k';
  await counted(key);
  expect(await count(at(12), key)).toBe(101);
});
