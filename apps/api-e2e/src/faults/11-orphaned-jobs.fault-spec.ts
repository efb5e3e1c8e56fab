import { answerAfter } from './support/answers.js';
import { faultTest, sized } from './support/fault-test.js';
import { options } from './support/options.js';
import { type Stage } from './support/stage.js';

/** Number of orphans: ids in the job lists of Bull whose job data are gone. */
const ORPHANS = 100_000;
const ACTIVE = '{ntf-hot}:hot:active';
const WAITING = '{ntf-hot}:hot:wait';
const WAITING_ORPHANS = 2_000;
const CLEANUP_MS = 5 * 60_000;

/** Measures the throughput. @returns deliveries per second */
async function throughput(stage: Stage, events: number, subscriptions: number): Promise<number> {
  const startedAt = performance.now();
  await stage.raise(events);
  await stage.settled();
  return Math.round((events * subscriptions * 1_000) / (performance.now() - startedAt));
}

/** Waits until Bull has removed 99 % of the orphans, or for 5 minutes. @returns deliveries per second */
async function throughputDuringCleanup(stage: Stage, subscriptions: number): Promise<number> {
  const startedAt = performance.now();
  const hasOrphans = async (): Promise<boolean> => {
    const lengths = await Promise.all(
      ['active', 'wait'].map((list) => stage.redis.llen(`{ntf-hot}:hot:${list}`).catch(() => ORPHANS)),
    );
    return lengths.some((length) => length > ORPHANS / 100);
  };
  let events = 0;
  while ((await hasOrphans()) && performance.now() - startedAt < CLEANUP_MS) {
    events += 20;
    await stage.raise(20);
    await stage.settled();
  }
  return Math.round((events * subscriptions * 1_000) / (performance.now() - startedAt));
}

faultTest(
  { number: 11, fault: '100,000 orphaned ids among the active jobs of Bull', stage: { notifiers: 2, origins: 2 } },
  async (stage, report) => {
    const subscriptions = (await stage.subscribeTimes(10)).length;
    stage.destinations.answerWith(answerAfter(5));
    const events = sized(200, 50);
    await throughput(stage, 20, subscriptions);
    const before = await throughput(stage, events, subscriptions);
    for (; report.faults < ORPHANS; report.faults += 10_000) {
      await stage.redis.lpush(
        ACTIVE,
        ...Array.from({ length: 10_000 }, (_, index) => `orphan-${report.faults + index}`),
      );
    }
    // Adds orphans to the end of the waiting list from which Bull takes its next jobs. Workers thus get the orphans
    // first.
    await stage.redis.rpush(
      WAITING,
      ...Array.from({ length: WAITING_ORPHANS }, (_, index) => `waiting-orphan-${index}`),
    );
    const withOrphans = await throughput(stage, events, subscriptions);
    // Every 30 seconds, Bull runs a script that moves the jobs that two successive checks found stalled. For many such
    // jobs, the script blocks Redis for a long time.
    const duringCleanup = options.isFast ? 0 : await throughputDuringCleanup(stage, subscriptions);
    report.note(
      `deliveries per second: ${before} before, ${withOrphans} with orphans` +
        (options.isFast ? '' : `, ${duringCleanup} during and after the cleanup by Bull`),
    );
    report.check(await stage.verdict());
  },
);
