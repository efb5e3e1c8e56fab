import { readFileSync } from 'node:fs';
import { expect } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { after } from './support/answers.js';
import { faultTest } from './support/fault-test.js';
import { options } from './support/options.js';
import { percentile } from './support/percentile.js';
import { between } from './support/repeat.js';
import { type Stage } from './support/stage.js';

const SUBSCRIPTIONS = 20;
/** Messages a second. */
const RATE = 200;
/** Memory of a process that has found its pace may still grow by so much: buffers and compiled code, not messages. */
const GROWTH = 1.25;

interface Sample {
  readonly rssMb: number;
  readonly redisMb: number;
  /** Of the delivery that has been due for the longest. */
  readonly oldestMs: number;
}

async function sample(stage: Stage): Promise<Sample> {
  const rss = stage.notifiers.map(
    ({ pid }) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024,
  );
  const [, redis] = /used_memory:(\d+)/.exec(await stage.redis.info('memory')) ?? [];
  const oldestMs = await stage.count(
    `SELECT COALESCE(extract(epoch FROM clock_timestamp() - min(next_attempt_dt)) * 1000, 0) FROM notification_deliveries WHERE status = 'due'`,
  );
  return { rssMb: Math.max(...rss), redisMb: Number(redis) / 1_048_576, oldestMs: Math.max(0, oldestMs) };
}

faultTest({ number: 34, fault: 'soak', stage: { notifiers: 2, origins: 4 } }, async (stage, report) => {
  await stage.subscribeTimes(SUBSCRIPTIONS);
  stage.destinations.answerWith(after(() => between(5, 50)));
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
  const middle = (of: readonly Sample[], read: (one: Sample) => number): number => percentile(of.map(read), 50);
  report.note(
    `${options.soakSeconds} s of 3600 s; memory of a notifier ${middle(early, ({ rssMb }) => rssMb)} MB in the second quarter, ${middle(late, ({ rssMb }) => rssMb)} MB in the last, ` +
      `Redis ${middle(early, ({ redisMb }) => redisMb * 1_024)} and ${middle(late, ({ redisMb }) => redisMb * 1_024)} kB; oldest due p99 ${percentile(
        samples.map(({ oldestMs }) => oldestMs),
        99,
      )} ms`,
  );
  expect(middle(late, ({ rssMb }) => rssMb)).toBeLessThanOrEqual(middle(early, ({ rssMb }) => rssMb) * GROWTH);
  expect(middle(late, ({ redisMb }) => redisMb * 1_024)).toBeLessThanOrEqual(
    middle(early, ({ redisMb }) => redisMb * 1_024) * GROWTH,
  );
  report.check(await stage.verdict());
});
