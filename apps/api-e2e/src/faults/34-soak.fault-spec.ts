import { readFileSync } from 'node:fs';
import { expect } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerAfter } from './support/answers.js';
import { faultTest } from './support/fault-test.js';
import { options } from './support/options.js';
import { percentile } from './support/percentile.js';
import { randomBetween } from './support/repeat.js';
import { type Stage } from './support/stage.js';

const SUBSCRIPTIONS = 20;
/** Number of messages that the notifiers send per second. */
const RATE = 200;
/**
 * Maximum ratio of the memory in the last quarter of the run to the memory in the second quarter. Buffers may grow a
 * little, but messages must be freed.
 */
const GROWTH = 1.25;

interface Sample {
  readonly rssMb: number;
  readonly redisMb: number;
  /** Milliseconds since the oldest due delivery became due. */
  readonly oldestMs: number;
}

async function sample(stage: Stage): Promise<Sample> {
  const rss = stage.notifiers.map(
    ({ pid }) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024,
  );
  const [, redis] = /used_memory:(\d+)/.exec(await stage.redis.info('memory')) ?? [];
  const oldestMs = await stage.count(
    `SELECT COALESCE(extract(epoch FROM clock_timestamp() - min(next_attempt_dt)) * 1000, 0)
     FROM notification_deliveries WHERE status = 'due'`,
  );
  return { rssMb: Math.max(...rss), redisMb: Number(redis) / 1_048_576, oldestMs: Math.max(0, oldestMs) };
}

faultTest(
  { number: 34, fault: 'constant load (soak test)', stage: { notifiers: 2, origins: 4 } },
  async (stage, report) => {
    await stage.subscribeTimes(SUBSCRIPTIONS);
    stage.destinations.answerWith(answerAfter(() => randomBetween(5, 50)));
    const samples: Sample[] = [];
    const endsAt = performance.now() + options.soakSeconds * 1_000;
    let nextSampleAt = 0;
    while (performance.now() < endsAt) {
      await stage.raise(1);
      if (performance.now() >= nextSampleAt) {
        samples.push(await sample(stage));
        nextSampleAt = performance.now() + 1_000;
      }
      await sleep((1_000 * SUBSCRIPTIONS) / RATE);
    }
    await stage.settled();
    const quarter = Math.floor(samples.length / 4);
    const [early, late] = [samples.slice(quarter, 2 * quarter), samples.slice(-quarter)];
    const rssMb = (part: readonly Sample[]): number =>
      percentile(
        part.map((one) => one.rssMb),
        50,
      );
    const redisKb = (part: readonly Sample[]): number =>
      percentile(
        part.map((one) => one.redisMb * 1_024),
        50,
      );
    const oldestMs = percentile(
      samples.map((one) => one.oldestMs),
      99,
    );
    report.note(
      `${options.soakSeconds} s of 3600 s; median in the second and last quarter: memory of a notifier ` +
        `${rssMb(early)} and ${rssMb(late)} MB, Redis ${redisKb(early)} and ${redisKb(late)} kB; ` +
        `oldest due delivery p99 ${oldestMs} ms`,
    );
    expect(rssMb(late)).toBeLessThanOrEqual(rssMb(early) * GROWTH);
    expect(redisKb(late)).toBeLessThanOrEqual(redisKb(early) * GROWTH);
    report.check(await stage.verdict());
  },
);
