import { after } from './support/answers.js';
import { faultTest, sized } from './support/fault-test.js';
import { type Stage } from './support/stage.js';

const GHOSTS = 100_000;
const LANES = ['hot', 'slow'];

/** @returns deliveries in a second */
async function throughput(stage: Stage, events: number, subscriptions: number): Promise<number> {
  const startedAt = performance.now();
  await stage.raise(events);
  await stage.settled();
  return Math.round((events * subscriptions * 1_000) / (performance.now() - startedAt));
}

faultTest({ number: 11, fault: '100,000 ghosts among the active jobs of Bull', stage: { notifiers: 2, origins: 2 } }, async (stage, report) => {
  const subscriptions = (await stage.subscribeTimes(10)).length;
  stage.destinations.answerWith(after(5));
  const events = sized(200, 50);
  await throughput(stage, 20, subscriptions);
  const before = await throughput(stage, events, subscriptions);
  for (const lane of LANES) {
    for (let first = 0; first < GHOSTS; first += 10_000) {
      await stage.redis.lpush(`{ntf-${lane}}:${lane}:active`, ...Array.from({ length: 10_000 }, (_, index) => `ghost-${first + index}`));
    }
    report.faults += GHOSTS;
  }
  const haunted = await throughput(stage, events, subscriptions);
  // Past the next look for stalled jobs, and the one after it.
  await new Promise((resolve) => setTimeout(resolve, sized(65_000, 0)));
  const later = await throughput(stage, events, subscriptions);
  const left = await Promise.all(LANES.map((lane) => Promise.all(['active', 'wait'].map((list) => stage.redis.llen(`{ntf-${lane}}:${lane}:${list}`)))));
  report.note(`deliveries in a second: ${before} before, ${haunted} among ghosts, ${later} after two looks for stalled jobs; left in Redis: ${JSON.stringify(left)}`);
  report.check(await stage.verdict());
});
