import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { waitUntil } from '../support/wait-until.js';
import { faultTest, sized } from './support/fault-test.js';
import { percentile } from './support/percentile.js';
import { type Stage } from './support/stage.js';

const HEALTHY_ORIGINS = 4;
const HANGING_ORIGINS = 6;
/** Messages a second to all healthy ones together. */
const RATE = 200;

/** Raises events at the rate, and waits for every healthy message. @returns milliseconds from commit to arrival */
async function measure(stage: Stage, { seconds, healthy }: { readonly seconds: number; readonly healthy: ReadonlySet<number> }): Promise<number[]> {
  const raisedAt = new Map<number, number>();
  const first = stage.destinations.receptions.length;
  const pauseMs = (1_000 * healthy.size) / RATE;
  for (const endsAt = performance.now() + seconds * 1_000; performance.now() < endsAt; ) {
    const [event] = await stage.raise(1);
    if (event) raisedAt.set(event.subjectId, Date.now());
    await sleep(pauseMs);
  }
  const arrived = (): number[] =>
    stage.destinations.receptions.slice(first).flatMap(({ subscriptionId, subjectId, at }) => {
      const since = raisedAt.get(subjectId);
      return since !== undefined && healthy.has(subscriptionId) ? [at - since] : [];
    });
  await waitUntil('every healthy message', 600_000, () => arrived().length >= raisedAt.size * healthy.size);
  return arrived();
}

faultTest(
  { number: 23, fault: 'half of the subscriptions hang', stage: { notifiers: 2, origins: HEALTHY_ORIGINS + HANGING_ORIGINS } },
  async (stage, report) => {
    const { destinations } = stage;
    const each = sized(50, 15);
    const healthy = await Promise.all(Array.from({ length: each }, (_, index) => stage.subscribe({ url: destinations.url(index % HEALTHY_ORIGINS) })));
    const healthyIds = new Set(healthy.map(({ id }) => id));
    destinations.answerWith(({ subscriptionId }, response) => {
      if (healthyIds.has(subscriptionId)) response.writeHead(204).end();
    });
    const seconds = sized(20, 5);
    await measure(stage, { seconds: 3, healthy: healthyIds });
    const before = await measure(stage, { seconds, healthy: healthyIds });
    const hanging = await Promise.all(
      Array.from({ length: each }, (_, index) => stage.subscribe({ url: destinations.url(HEALTHY_ORIGINS + (index % HANGING_ORIGINS)) })),
    );
    report.faults += hanging.length;
    await stage.raise(10); // until all of them have something that hangs
    const beside = await measure(stage, { seconds, healthy: healthyIds });
    expect(await stage.count(`SELECT count(*) FROM notification_deliveries WHERE status = 'delivered' AND subscription_id <> ALL($1)`, [[...healthyIds]])).toBe(0);
    report.note(`from commit to arrival at ${RATE} messages a second, p50 and p99: ${percentile(before, 50)} and ${percentile(before, 99)} ms alone, ${percentile(beside, 50)} and ${percentile(beside, 99)} ms beside ${hanging.length} that hang`);
    await Promise.all(hanging.map(({ topic }) => stage.client.delete(`/notification_topics/${topic.id}`)));
    await stage.settled();
    // What hung was refused by nobody: each repetition after its time ran out is counted.
    const verdict = await stage.verdict(destinations.receptions.filter(({ subscriptionId }) => healthyIds.has(subscriptionId)));
    report.check(verdict);
  },
);
