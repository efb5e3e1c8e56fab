import { judge, quantile } from '../measure.mjs';
import { sleep } from '../../tools/services/processes.mjs';
import { drip } from './drip.mjs';

/** Each case has equal numbers of hanging and healthy subscriptions. */
const CASES = [
  { name: '20 and 20 at one origin', each: 20, isOneOrigin: true },
  { name: '50 and 50 at one origin', each: 50, isOneOrigin: true },
  { name: '50 and 50 at 100 origins', each: 50, isOneOrigin: false },
];
/** Messages per second to each subscription. */
const RATE = 5;
const WARM_UP_SECONDS = 5;
const SECONDS = { alone: 20, beside: 30 };
const ROUNDS = 2;
const MAX_RATIO = 2;
const MAX_CONCURRENT = 4;

/** Measures how much hanging subscriptions delay healthy ones, at the same origin and at other origins. */
export async function measureFairness(stage) {
  await stage.setNotifiers(1);
  let subscriptions = 0;
  for (const { name, each, isOneOrigin } of CASES) {
    const { healthy, hanging } = await stage.listen({ healthy: each, hanging: each, isOneOrigin });
    const ids = healthy.map((_, index) => subscriptions + index + 1);
    const silentIds = ids.map((id) => id + each);
    subscriptions += 2 * each;
    await stage.subscribe(
      [...healthy, ...hanging].map((url, index) => ({ opportunityId: (ids[0] ?? 1) + index, url })),
    );
    await measureCase(stage, name, { ids, silentIds });
  }
}

async function measureCase(stage, name, { ids, silentIds }) {
  const rate = RATE * ids.length;
  await drip(stage, { rate, seconds: WARM_UP_SECONDS, ids });
  const latencies = { alone: [], beside: [] };
  const most = { url: 0, origin: 0 };
  for (let round = 0; round < ROUNDS; round++) {
    for (const [kind, silent] of Object.entries({ alone: [], beside: silentIds })) {
      const report = await drip(stage, { rate, seconds: SECONDS[kind], ids, silentIds: silent });
      latencies[kind].push(report.latencies);
      for (const key of ['url', 'origin']) most[key] = Math.max(most[key], report.most[key]);
      console.log(`${name}, round ${round + 1}, ${kind.padEnd(6)} ${figures(report.latencies)}`);
    }
    await recover(stage);
  }
  const [alone, beside] = [latencies.alone.flat(), latencies.beside.flat()];
  const ratio = quantile(beside, 0.99) / quantile(alone, 0.99);
  console.log(`${name}: ${figures(alone)} without hanging subscriptions, ${figures(beside)} beside them`);
  console.log(`${name}: at most ${most.url} concurrent requests to a subscription, ${most.origin} to an origin`);
  judge(`${name}: the p99 of healthy subscriptions at most doubles`, ratio <= MAX_RATIO, ratio.toFixed(2));
  const isWithinLimit = most.url <= MAX_CONCURRENT;
  judge(`${name}: at most ${MAX_CONCURRENT} concurrent requests to a subscription`, isWithinLimit, String(most.url));
}

const figures = (latencies) =>
  `p50 ${quantile(latencies, 0.5).toFixed(0)} ms, p99 ${quantile(latencies, 0.99).toFixed(0)} ms, ` +
  `max ${Math.max(...latencies)} ms`;

/** Cancels the backlog of the hanging subscriptions, so that the next round measures again how they begin to hang. */
async function recover(stage) {
  for (;;) {
    await stage.query(
      `UPDATE notification_deliveries SET status = 'cancelled', finished_dt = now() WHERE status IN ('due', 'queued')`,
    );
    const [{ running }] = await stage.query(
      `SELECT count(*)::integer AS running FROM notification_deliveries WHERE status IN ('due', 'queued', 'sending')`,
    );
    if (running === 0) break;
    await sleep(200);
  }
  await stage.query(
    `UPDATE notification_subscriptions SET consecutive_failures = 0, first_failure_dt = NULL, is_recovering = false,
       in_flight_limit = max_in_flight, limit_successes = 0`,
  );
}
