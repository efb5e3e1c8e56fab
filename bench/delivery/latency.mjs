import { judge, quantile } from '../measure.mjs';
import { drip } from './drip.mjs';

const SUBSCRIPTIONS = 100;
const RECEIVERS = 10;
const SECONDS = 20;
const P99_MS = 250;
/** Messages per second when the throughput was not measured. */
const DEFAULT_RATE = 200;

/** Measures the time from an event to the receipt of its message, at half of the throughput of one notifier. */
export async function measureLatency(stage, { rate = DEFAULT_RATE }) {
  const { healthy } = await stage.listen({ healthy: RECEIVERS });
  const ids = Array.from({ length: SUBSCRIPTIONS }, (_, index) => index + 1);
  await stage.subscribe(ids.map((opportunityId) => ({ opportunityId, url: healthy[opportunityId % RECEIVERS] })));
  for (const notifiers of [1, 2]) {
    await stage.setNotifiers(notifiers);
    await drip(stage, { rate, seconds: 3, ids });
    const { latencies } = await drip(stage, { rate, seconds: SECONDS, ids });
    const [p50, p99] = [quantile(latencies, 0.5), quantile(latencies, 0.99)];
    console.log(
      `${notifiers} notifier${notifiers > 1 ? 's' : ' '} at ${rate.toFixed(0)}/s   p50 ${p50.toFixed(0)} ms   ` +
        `p99 ${p99.toFixed(0)} ms   max ${Math.max(...latencies)} ms`,
    );
    judge(`p99 under ${P99_MS} ms at half of the throughput`, p99 < P99_MS, `${p99.toFixed(0)} ms`);
  }
}
