import { after } from './support/answers.js';
import { faultTest, sized } from './support/fault-test.js';
import { options } from './support/options.js';
import { type Stage } from './support/stage.js';

const GHOSTS = 100_000;
const ACTIVE = '{ntf-hot}:hot:active';
const WAITING = '{ntf-hot}:hot:wait';
const HANDED_OUT = 2_000;
const TIDIED_UP_MS = 5 * 60_000;

/** @returns deliveries in a second */
async function throughput(stage: Stage, events: number, subscriptions: number): Promise<number> {
  const startedAt = performance.now();
  await stage.raise(events);
  await stage.settled();
  return Math.round((events * subscriptions * 1_000) / (performance.now() - startedAt));
}

/** Goes on until hardly a ghost is left anywhere, or long enough. @returns deliveries in a second */
async function throughputWhileSwept(stage: Stage, subscriptions: number): Promise<number> {
  const startedAt = performance.now();
  const isHaunted = async (): Promise<boolean> => {
    const lengths = await Promise.all(
      ['active', 'wait'].map((list) => stage.redis.llen(`{ntf-hot}:hot:${list}`).catch(() => GHOSTS)),
    );
    return lengths.some((length) => length > GHOSTS / 100);
  };
  let events = 0;
  while ((await isHaunted()) && performance.now() - startedAt < TIDIED_UP_MS) {
    events += 20;
    await stage.raise(20);
    await stage.settled();
  }
  return Math.round((events * subscriptions * 1_000) / (performance.now() - startedAt));
}

faultTest(
  { number: 11, fault: '100,000 ghosts among the active jobs of Bull', stage: { notifiers: 2, origins: 2 } },
  async (stage, report) => {
    const subscriptions = (await stage.subscribeTimes(10)).length;
    stage.destinations.answerWith(after(5));
    const events = sized(200, 50);
    await throughput(stage, 20, subscriptions);
    const before = await throughput(stage, events, subscriptions);
    for (; report.faults < GHOSTS; report.faults += 10_000) {
      await stage.redis.lpush(
        ACTIVE,
        ...Array.from({ length: 10_000 }, (_, index) => `ghost-${report.faults + index}`),
      );
    }
    // Some are handed to the workers at once, jobs without their data among those that have them.
    await stage.redis.rpush(WAITING, ...Array.from({ length: HANDED_OUT }, (_, index) => `ghost-in-line-${index}`));
    const haunted = await throughput(stage, events, subscriptions);
    // Bull looks for stalled jobs every 30 s, and moves those it has seen twice with a script that keeps Redis busy for long.
    const busy = options.isFast ? 0 : await throughputWhileSwept(stage, subscriptions);
    report.note(
      `deliveries in a second: ${before} before, ${haunted} among ghosts${options.isFast ? '' : `, ${busy} while Bull tidies up and after it`}`,
    );
    report.check(await stage.verdict());
  },
);
