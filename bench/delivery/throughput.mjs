import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { judge, median } from '../measure.mjs';
import { sleep } from '../../tools/services/processes.mjs';

const SUBSCRIPTIONS = 100;
/** Number of origins. Each has 32 concurrency slots. */
const RECEIVERS = 10;
const ROUNDS = 3;
/** The number of attempts that one notifier sends at the same time. */
const CONCURRENCY = 120;

/** Time for writing the backlog, before its events may be matched. */
const HEAD_START_MS = 8_000;

/**
 * Measures messages per second, from the time at which a backlog of events may be matched until the last message is
 * received. Then measures the limit with the same bodies.
 * @returns {Promise<number>} messages per second of one notifier
 */
export async function measureThroughput(stage, { messages }) {
  const { healthy } = await stage.listen({ healthy: RECEIVERS });
  const ids = Array.from({ length: SUBSCRIPTIONS }, (_, index) => index + 1);
  await stage.subscribe(ids.map((opportunityId) => ({ opportunityId, url: healthy[opportunityId % RECEIVERS] })));
  const limit = fork(join(import.meta.dirname, 'limit.mjs'));
  const rates = { 1: [], 2: [], limit: [] };
  try {
    for (let round = 0; round <= ROUNDS; round++) {
      for (const notifiers of [1, 2]) {
        await stage.setNotifiers(notifiers);
        const rate = await drain(stage, messages);
        if (round > 0) rates[notifiers].push(rate);
      }
      await stage.setNotifiers(0);
      const rate = messages / (await runLimit(limit, stage, messages));
      if (round > 0) rates.limit.push(rate);
    }
  } finally {
    limit.kill();
  }
  const [one, two, most] = [rates[1], rates[2], rates.limit].map(median);
  for (const [name, rate] of [
    ['limit', most],
    ['one notifier', one],
    ['two notifiers', two],
  ]) {
    console.log(
      `${name.padEnd(16)} ${rate.toFixed(0).padStart(6)} messages/s   ${(rate / most).toFixed(2)} of the limit`,
    );
  }
  judge('one notifier delivers at least 0.4 of the limit', one / most >= 0.4, (one / most).toFixed(2));
  return one;
}

async function drain(stage, messages) {
  await stage.query('TRUNCATE notification_deliveries, notification_attempts, domain_events');
  await stage.query('CHECKPOINT');
  const done = stage.received(messages);
  const startedAt = Date.now() + HEAD_START_MS;
  await stage.write(
    Array.from({ length: messages }, (_, index) => (index % SUBSCRIPTIONS) + 1),
    new Date(startedAt),
  );
  if (Date.now() > startedAt) throw new Error('writing the backlog took too long');
  await sleep(startedAt - Date.now());
  await stage.query('NOTIFY ats_domain_events');
  const { lastAt } = await done;
  await untilLogged(stage);
  return messages / ((lastAt - startedAt) / 1_000);
}

/** Waits until all rows are `delivered`, which happens shortly after the receipt. */
async function untilLogged(stage) {
  for (;;) {
    const [{ open }] = await stage.query(
      `SELECT count(*)::integer AS open FROM notification_deliveries WHERE status <> 'delivered'`,
    );
    if (open === 0) return;
    await sleep(50);
  }
}

async function runLimit(limit, stage, count) {
  const messages = await stage.query(
    `SELECT d.body, s.destination_url AS url FROM notification_deliveries d JOIN notification_subscriptions s ON s.id = d.subscription_id
     ORDER BY d.id LIMIT $1`,
    [count],
  );
  const done = stage.received(count);
  limit.send({ messages, concurrency: CONCURRENCY });
  const [{ seconds }] = await once(limit, 'message');
  await done;
  return seconds;
}
