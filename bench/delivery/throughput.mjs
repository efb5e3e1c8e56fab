import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { judge, median, printTable } from '../measure.mjs';
import { sleep } from '../../tools/services/processes.mjs';

/**
 * The measured cases. `receivers` is the number of origins to which messages are sent. `share` is the part of the
 * backlog that is sent, which is smaller for few subscriptions, because each message then takes longer. `minRatio` is
 * the target for one notifier, as a part of the limit.
 */
const WORLDS = [
  { subscriptions: 100, receivers: 10, share: 1, minRatio: 0.4 },
  { subscriptions: 10, receivers: 1, share: 0.3, minRatio: 0.4 },
  { subscriptions: 1, receivers: 1, share: 0.05, minRatio: 0.25 },
];
const ROUNDS = 3;
/** The number of attempts that one notifier sends at the same time. */
const CONCURRENCY = 120;
/** Messages per second for each busy core of one notifier and PostgreSQL. */
const MIN_PER_CORE = 1_250;

/** Time for writing the backlog, before its events may be matched. */
const HEAD_START_MS = 8_000;

/**
 * Measures messages per second, from the time at which a backlog of events may be matched until the last message is
 * received, with one and two notifiers. Then measures the limit with the same bodies. Measures the processor time of
 * each message by kind of process.
 * @returns {Promise<number>} messages per second of one notifier with 100 subscriptions
 */
export async function measureThroughput(stage, { messages }) {
  const limit = fork(join(import.meta.dirname, 'limit.mjs'));
  const rates = [];
  try {
    let firstId = 1;
    for (const world of WORLDS) {
      const { healthy } = await stage.listen({ healthy: world.receivers });
      const ids = Array.from({ length: world.subscriptions }, (_, index) => firstId + index);
      await stage.subscribe(
        ids.map((opportunityId, index) => ({ opportunityId, url: healthy[index % world.receivers] })),
      );
      firstId += world.subscriptions;
      rates.push(await measureWorld(stage, limit, { ...world, ids, messages: Math.round(messages * world.share) }));
    }
  } finally {
    limit.kill();
  }
  return rates[0];
}

async function measureWorld(stage, limit, { subscriptions, minRatio, ids, messages }) {
  const runs = { limit: [], 'one notifier': [], 'two notifiers': [] };
  for (let round = 0; round <= ROUNDS; round++) {
    const results = {};
    for (const [name, notifiers] of [
      ['one notifier', 1],
      ['two notifiers', 2],
    ]) {
      await stage.setNotifiers(notifiers);
      results[name] = await drain(stage, ids, messages);
    }
    await stage.setNotifiers(0);
    results.limit = await runLimit(limit, stage, messages);
    // The first round is a warm-up and does not count.
    if (round > 0) for (const [name, result] of Object.entries(results)) runs[name].push(result);
  }
  const most = medians(runs.limit);
  const figures = Object.entries(runs).map(([name, results]) => ({ name, ...medians(results) }));
  console.log(`\n${subscriptions} subscriptions, ${messages} messages, processor time in us for each message`);
  printTable([
    ['', 'messages/s', 'of the limit', 'sender', 'PostgreSQL', 'Redis', 'receiver'],
    ...figures.map(({ name, rate, sender, postgres, redis, receiver }) => [
      name,
      rate.toFixed(0),
      (rate / most.rate).toFixed(2),
      ...[sender, postgres, redis, receiver].map((us) => us.toFixed(0)),
    ]),
  ]);
  const [, one, two] = figures;
  const ratio = one.rate / most.rate;
  const perCore = 1_000_000 / (one.sender + one.postgres);
  const world = `${subscriptions} subscriptions`;
  judge(`${world}: one notifier delivers at least ${minRatio} of the limit`, ratio >= minRatio, ratio.toFixed(2));
  judge(`${world}: two notifiers are not slower than one`, two.rate >= one.rate, (two.rate / one.rate).toFixed(2));
  judge(
    `${world}: at least ${MIN_PER_CORE} messages/s for a core of sender and PostgreSQL`,
    perCore >= MIN_PER_CORE,
    perCore.toFixed(0),
  );
  return one.rate;
}

/** Returns the median of each figure of several runs. */
export const medians = (runs) =>
  Object.fromEntries(Object.keys(runs[0]).map((figure) => [figure, median(runs.map((run) => run[figure]))]));

/**
 * Converts the totals of a run.
 * @returns the rate, and the processor time of each message in us by kind of process
 */
const resultOf = (messages, seconds, processorMs) => ({
  rate: messages / seconds,
  ...Object.fromEntries(Object.entries(processorMs).map(([kind, ms]) => [kind, (ms * 1_000) / messages])),
});

/**
 * Measures messages per second and processor time, from the time at which a backlog of events may be matched until the
 * last message is received and logged.
 */
export async function drain(stage, ids, messages) {
  await stage.query('TRUNCATE notification_deliveries, notification_attempts, domain_events');
  await stage.query('CHECKPOINT');
  const done = stage.received(messages);
  const startedAt = Date.now() + HEAD_START_MS;
  await stage.write(
    Array.from({ length: messages }, (_, index) => ids[index % ids.length]),
    new Date(startedAt),
  );
  if (Date.now() > startedAt) throw new Error('the backlog was not written before the measurement had to start');
  await sleep(startedAt - Date.now());
  const processorMs = stage.measureProcessor();
  await stage.query('NOTIFY ats_domain_events');
  const { lastAt } = await done;
  await untilLogged(stage);
  return resultOf(messages, (lastAt - startedAt) / 1_000, processorMs());
}

/** Waits until all rows are `delivered`, which happens shortly after the receipt. */
export async function untilLogged(stage) {
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
  const processorMs = stage.measureProcessor(limit.pid);
  limit.send({ messages, concurrency: CONCURRENCY });
  const [{ seconds }] = await once(limit, 'message');
  await done;
  return resultOf(count, seconds, processorMs());
}
