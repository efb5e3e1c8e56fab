import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Redis } from 'ioredis';
import { type AdmissionReply, defineLimitCommands, VERDICT } from './limit-scripts.js';

let redis: Redis;
beforeAll(() => {
  redis = new Redis(process.env['TEST_REDIS_URL'] ?? '');
  defineLimitCommands(redis);
});
afterAll(() => redis.quit());

interface Limits {
  readonly limit: number;
  /** Far longer than a test run, so that no key expires during a test. Keys expire by the clock of the Redis server. */
  readonly windowMs: number;
  readonly concurrency: number;
  readonly leaseMs: number;
}

/** A simple model of the Redis script, with the same rules. */
class NaiveLimits {
  private used = 0;
  private ends = -Infinity;
  private readonly leases = new Map<string, number>();

  constructor(private readonly limits: Limits) {}

  admit(now: number, name: string): AdmissionReply {
    const { limit, windowMs, concurrency, leaseMs } = this.limits;
    if (limit > 0) {
      // If the window ends later than a window that begins now, the clock was set back. Then a new window begins.
      if (this.ends <= now || this.ends > now + windowMs) [this.used, this.ends] = [0, now + windowMs];
      if (this.used >= limit) return [VERDICT.overRate, this.used, this.ends - now];
      this.used += 1;
    }
    const [used, left] = limit > 0 ? [this.used, this.ends - now] : [0, windowMs];
    if (concurrency > 0) {
      for (const [taken, until] of this.leases) if (until <= now) this.leases.delete(taken);
      if (this.leases.size >= concurrency) return [VERDICT.overConcurrency, used, left];
      this.leases.set(name, now + leaseMs);
    }
    return [VERDICT.admitted, used, left];
  }

  release(name: string): void {
    this.leases.delete(name);
  }
}

const keysOf = (): [window: string, leases: string] => {
  const tag = randomBytes(9).toString('base64url');
  return [`{${tag}}:window`, `{${tag}}:leases`];
};

const limits: fc.Arbitrary<Limits> = fc.record({
  limit: fc.integer({ min: 0, max: 4 }),
  windowMs: fc.integer({ min: 20_000, max: 40_000 }),
  concurrency: fc.integer({ min: 0, max: 3 }),
  leaseMs: fc.integer({ min: 20_000, max: 60_000 }),
});
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('admit' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('release' as const), name: fc.nat({ max: 20 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      ms: fc.oneof(fc.integer({ min: 0, max: 45_000 }), fc.constantFrom(20_000, 40_000, -1, -50_000)),
    }),
  },
);

describe('the script that admits requests', () => {
  test('gives the same verdicts as a naive model for any sequence of steps', async () => {
    await fc.assert(
      fc.asyncProperty(limits, fc.array(step, { maxLength: 40 }), async (given, steps) => {
        const keys = keysOf();
        const model = new NaiveLimits(given);
        let [now, count] = [1_800_000_000_000, 0];
        for (const next of steps) {
          if (next.kind === 'wait') now += next.ms;
          else if (next.kind === 'release') {
            await redis.zrem(keys[1], `lease ${next.name}`);
            model.release(`lease ${next.name}`);
          } else {
            const name = `lease ${++count}`;
            const reply = await redis.admitRequest(
              ...keys,
              given.limit,
              given.windowMs,
              given.concurrency,
              given.leaseMs,
              name,
              now,
            );
            expect(reply).toEqual(model.admit(now, name));
          }
        }
        await redis.del(...keys);
      }),
      { numRuns: 60 },
    );
  });

  test('admits exactly as many concurrent requests of several processes as the rate limit allows', async () => {
    const others = [redis.duplicate(), redis.duplicate(), redis.duplicate()];
    others.forEach(defineLimitCommands);
    const keys = keysOf();
    const replies = await Promise.all(
      Array.from({ length: 300 }, (_, index) =>
        (others[index % 3] ?? redis).admitRequest(...keys, 100, 60_000, 0, 1, ''),
      ),
    );
    expect(
      replies
        .filter(([verdict]) => verdict === VERDICT.admitted)
        .map(([, used]) => used)
        .sort((a, b) => a - b),
    ).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
    await Promise.all(others.map((other) => other.quit()));
  });

  test('sets an expiry on every key', async () => {
    const keys = keysOf();
    await redis.admitRequest(...keys, 5, 7_000, 5, 3_000, 'a');
    await redis.admitRequest(...keys, 5, 7_000, 5, 3_000, 'b');
    const [window, leases] = await Promise.all(keys.map((key) => redis.pttl(key)));
    expect(window).toBeGreaterThan(0);
    expect(window).toBeLessThanOrEqual(7_000);
    expect(leases).toBeGreaterThan(0);
    expect(leases).toBeLessThanOrEqual(3_000);
  });

  test('frees expired leases and keeps renewed ones', async () => {
    const keys = keysOf();
    const admit = (name: string, ms: number): Promise<AdmissionReply> =>
      redis.admitRequest(...keys, 0, 1_000, 2, ms, name);
    expect((await admit('gone', 50))[0]).toBe(VERDICT.admitted);
    expect((await admit('held', 50))[0]).toBe(VERDICT.admitted);
    await redis.renewLeases(keys[1], 60_000, 'held', 'never taken');
    expect(await until(async () => (await admit('next', 60_000))[0] === VERDICT.admitted)).toBe(true);
    expect((await admit('one too many', 60_000))[0]).toBe(VERDICT.overConcurrency);
    expect((await redis.zrange(keys[1], 0, -1)).sort()).toEqual(['held', 'next']);
  });

  test('runs on a server that has lost all scripts', async () => {
    const keys = keysOf();
    await redis.admitRequest(...keys, 5, 60_000, 0, 1, '');
    await redis.script('FLUSH');
    expect(await redis.admitRequest(...keys, 5, 60_000, 0, 1, '')).toEqual([VERDICT.admitted, 2, expect.any(Number)]);
  });
});

async function until(condition: () => Promise<boolean>): Promise<boolean> {
  for (const deadline = Date.now() + 5_000; Date.now() < deadline; ) if (await condition()) return true;
  return false;
}
