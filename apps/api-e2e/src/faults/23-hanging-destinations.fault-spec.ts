import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { waitUntil } from '../support/wait-until.js';
import { faultTest, sized } from './support/fault-test.js';
import { inBatches, range } from './support/repeat.js';
import { percentile } from './support/percentile.js';
import { type Stage } from './support/stage.js';

const HEALTHY_ORIGINS = 4;
const HANGING_ORIGINS = 6;
/** Number of messages per second to all healthy subscriptions together. */
const RATE = 200;
const BURST = 10;

/**
 * Raises events at `RATE`, and waits for all messages to healthy subscriptions.
 * @returns the milliseconds from the commit to the arrival of each message
 */
async function measure(
  stage: Stage,
  { seconds, healthy }: { readonly seconds: number; readonly healthy: ReadonlySet<number> },
): Promise<number[]> {
  const raisedAt = new Map<number, number>();
  const first = stage.destinations.receptions.length;
  const pauseMs = (1_000 * healthy.size) / RATE;
  // Fills the concurrency slots of the hanging destinations with a first burst.
  for (const event of await stage.raise(BURST)) raisedAt.set(event.subjectId, Date.now());
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
  {
    number: 23,
    fault: 'half of the subscriptions hang',
    stage: { notifiers: 2, origins: HEALTHY_ORIGINS + HANGING_ORIGINS },
  },
  async (stage, report) => {
    const { destinations, client } = stage;
    const each = sized(50, 15);
    const healthy = await inBatches(range(each), (index) =>
      stage.subscribe({ url: destinations.url(index % HEALTHY_ORIGINS) }),
    );
    const hanging = await inBatches(range(each), (index) =>
      stage.subscribe({ url: destinations.url(HEALTHY_ORIGINS + (index % HANGING_ORIGINS)) }),
    );
    const healthyIds = new Set(healthy.map(({ id }) => id));
    const seconds = sized(20, 5);
    // Measures a baseline with the same number of messages, all of which are answered.
    await measure(stage, { seconds: 3, healthy: healthyIds });
    const baseline = await measure(stage, { seconds, healthy: healthyIds });
    await stage.settled();
    const delivered = `SELECT count(*) FROM notification_deliveries
      WHERE status = 'delivered' AND subscription_id <> ALL($1)`;
    const before = await stage.count(delivered, [[...healthyIds]]);
    destinations.answerWith(({ subscriptionId }, response) => {
      if (healthyIds.has(subscriptionId)) response.writeHead(204).end();
    });
    report.faults += hanging.length;
    const besideHanging = await measure(stage, { seconds, healthy: healthyIds });
    expect(await stage.count(delivered, [[...healthyIds]])).toBe(before);
    const percentiles = (times: readonly number[]): string =>
      `${percentile(times, 50)} and ${percentile(times, 99)} ms`;
    report.note(
      `commit to arrival at ${RATE} messages per second, p50 and p99: ${percentiles(baseline)} alone, ` +
        `${percentiles(besideHanging)} beside ${hanging.length} hanging subscriptions`,
    );
    await inBatches(hanging, ({ topic }) => client.delete(`/notification_topics/${topic.id}`));
    await stage.settled();
    // Leaves out requests without an answer. The ledger would count their repetitions as duplicates, because the
    // destinations did not refuse them.
    report.check(
      await stage.verdict(
        destinations.receptions.filter(
          ({ subscriptionId, statusCode }) => healthyIds.has(subscriptionId) || statusCode !== null,
        ),
      ),
    );
  },
);
