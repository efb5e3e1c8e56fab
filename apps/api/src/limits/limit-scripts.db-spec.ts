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
  /**
   * Window in ms, far longer than a test. No key may expire during a test, because keys expire by the clock of the
   * server.
   */
  readonly windowMs: number;
  readonly concurrency: number;
  readonly leaseMs: number;
  readonly databaseUs: number;
  readonly bytes: number;
}

interface Settled {
  readonly name: string;
  readonly us: number;
  readonly bytes: number;
}

/** A simple model of the Redis scripts, with the same rules. */
class NaiveLimits {
  private used = 0;
  private ends = -Infinity;
  private spent = { us: 0, bytes: 0, ends: -Infinity };
  private readonly leases = new Map<string, number>();

  constructor(private readonly limits: Limits) {}

  admit(now: number, name: string): AdmissionReply {
    const { limit, windowMs, concurrency, leaseMs, databaseUs, bytes } = this.limits;
    const hasBudget = databaseUs + bytes > 0;
    const spent = hasBudget && this.isOpen(this.spent, now) ? this.spent : { us: 0, bytes: 0, ends: now + windowMs };
    // A window is also over when it ends later than a window that begins now. The clock was then set back after the
    // window began.
    const isOpen = limit > 0 && this.isOpen({ ends: this.ends }, now);
    const [used, ends] = isOpen ? [this.used, this.ends] : [0, now + windowMs];
    const reply = (verdict: number, count = used): AdmissionReply => [
      verdict,
      count,
      ends - now,
      spent.us,
      spent.bytes,
      spent.ends - now,
    ];
    if (limit > 0 && used >= limit) return reply(VERDICT.overRate);
    if (databaseUs > 0 && spent.us >= databaseUs) return reply(VERDICT.overDatabaseTime);
    if (bytes > 0 && spent.bytes >= bytes) return reply(VERDICT.overBytes);
    if (limit > 0) [this.used, this.ends] = [used + 1, ends];
    const counted = limit > 0 ? used + 1 : 0;
    if (concurrency > 0) {
      for (const [taken, until] of this.leases) if (until <= now) this.leases.delete(taken);
      if (this.leases.size >= concurrency) return reply(VERDICT.overConcurrency, counted);
      this.leases.set(name, now + leaseMs);
    }
    return reply(VERDICT.admitted, counted);
  }

  settle(now: number, { name, us, bytes }: Settled): void {
    this.leases.delete(name);
    if (us + bytes === 0) return;
    const { spent } = this;
    this.spent = this.isOpen(spent, now)
      ? { us: spent.us + us, bytes: spent.bytes + bytes, ends: spent.ends }
      : { us, bytes, ends: now + this.limits.windowMs };
  }

  private isOpen({ ends }: { readonly ends: number }, now: number): boolean {
    return ends > now && ends <= now + this.limits.windowMs;
  }
}

type Keys = readonly [window: string, leases: string, spending: string];

const keysOf = (): Keys => {
  const tag = randomBytes(9).toString('base64url');
  return [`{${tag}}:window`, `{${tag}}:leases`, `{${tag}}:spending`];
};

const limits: fc.Arbitrary<Limits> = fc.record({
  limit: fc.integer({ min: 0, max: 4 }),
  windowMs: fc.integer({ min: 2_000_000, max: 4_000_000 }),
  concurrency: fc.integer({ min: 0, max: 3 }),
  leaseMs: fc.integer({ min: 2_000_000, max: 6_000_000 }),
  databaseUs: fc.integer({ min: 0, max: 40 }),
  bytes: fc.integer({ min: 0, max: 40 }),
});
const spent = fc.nat({ max: 15 });
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('admit' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('settle' as const), name: fc.nat({ max: 20 }), us: spent, bytes: spent }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      ms: fc.oneof(fc.integer({ min: 0, max: 4_500_000 }), fc.constantFrom(2_000_000, 4_000_000, -1, -5_000_000)),
    }),
  },
);

describe('the Redis script that admits requests', () => {
  test('gives the same verdicts as a naive model for any sequence of steps', async () => {
    await fc.assert(
      fc.asyncProperty(limits, fc.array(step, { maxLength: 40 }), async (given, steps) => {
        const keys = keysOf();
        const model = new NaiveLimits(given);
        let [now, count] = [1_800_000_000_000, 0];
        for (const next of steps) {
          if (next.kind === 'wait') now += next.ms;
          else if (next.kind === 'settle') {
            const settled = { name: `lease ${next.name}`, us: next.us, bytes: next.bytes };
            await redis.settleRequest(keys[1], keys[2], settled.name, settled.us, settled.bytes, given.windowMs, now);
            model.settle(now, settled);
          } else {
            const name = `lease ${++count}`;
            const reply = await redis.admitRequest(
              ...keys,
              given.limit,
              given.windowMs,
              given.concurrency,
              given.leaseMs,
              name,
              given.databaseUs,
              given.bytes,
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

  test('admits exactly as many requests that several processes send at once as the rate limit allows', async () => {
    const others = [redis.duplicate(), redis.duplicate(), redis.duplicate()];
    others.forEach(defineLimitCommands);
    const keys = keysOf();
    const replies = await Promise.all(
      Array.from({ length: 300 }, (_, index) =>
        (others[index % 3] ?? redis).admitRequest(...keys, 100, 900_000, 0, 1, '', 0, 0),
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
    await redis.admitRequest(...keys, 5, 700_000, 5, 300_000, 'a', 0, 0);
    await redis.admitRequest(...keys, 5, 700_000, 5, 300_000, 'b', 0, 0);
    for (let count = 0; count < 2; count++) await redis.settleRequest(keys[1], keys[2], 'none', 10, 20, 700_000);
    const [window, leases, spending] = await Promise.all(keys.map((key) => redis.pttl(key)));
    expect(spending).toBeGreaterThan(0);
    expect(spending).toBeLessThanOrEqual(700_000);
    expect(window).toBeGreaterThan(0);
    expect(window).toBeLessThanOrEqual(700_000);
    expect(leases).toBeGreaterThan(0);
    expect(leases).toBeLessThanOrEqual(300_000);
  });

  test('frees expired leases and keeps renewed ones', async () => {
    const keys = keysOf();
    const admit = (name: string, ms: number): Promise<AdmissionReply> =>
      redis.admitRequest(...keys, 0, 1_000, 2, ms, name, 0, 0);
    expect((await admit('gone', 50))[0]).toBe(VERDICT.admitted);
    expect((await admit('held', 300_000))[0]).toBe(VERDICT.admitted);
    const endOfHeld = async (): Promise<number> => Number(await redis.zscore(keys[1], 'held'));
    const before = await endOfHeld();
    await redis.renewLeases(keys[1], 900_000, 'held', 'never taken');
    expect((await endOfHeld()) - before).toBeGreaterThanOrEqual(600_000);
    expect(await until(async () => (await admit('next', 300_000))[0] === VERDICT.admitted)).toBe(true);
    expect((await admit('one too many', 300_000))[0]).toBe(VERDICT.overConcurrency);
    expect((await redis.zrange(keys[1], 0, -1)).sort()).toEqual(['held', 'next']);
  });

  test('runs on a Redis server that has lost all scripts', async () => {
    const keys = keysOf();
    await redis.admitRequest(...keys, 5, 900_000, 0, 1, '', 0, 0);
    await redis.script('FLUSH');
    expect(await redis.admitRequest(...keys, 5, 900_000, 0, 1, '', 0, 0)).toEqual([
      VERDICT.admitted,
      2,
      ...Array.from({ length: 4 }, () => expect.any(Number)),
    ]);
  });
});

async function until(condition: () => Promise<boolean>): Promise<boolean> {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; ) if (await condition()) return true;
  return false;
}
