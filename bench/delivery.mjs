import { measureIdleEndpoints } from './delivery/idle-endpoints.mjs';
import { measureFairness } from './delivery/fairness.mjs';
import { measureLatency } from './delivery/latency.mjs';
import { measureStability } from './delivery/stability.mjs';
import { Stage } from './delivery/stage.mjs';
import { measureThroughput } from './delivery/throughput.mjs';
import { measureTopics } from './delivery/topics.mjs';
import { readOptions } from './options.mjs';

export const projects = ['@ats/api', '@ats/notifier'];

const PARTS = {
  throughput: measureThroughput,
  latency: measureLatency,
  fairness: measureFairness,
  topics: measureTopics,
  endpoints: measureIdleEndpoints,
  stability: measureStability,
};

const usage = `
  --messages  size of the backlog of 100 subscriptions in messages, default 20000; fewer subscriptions get a part of it
  --rate      messages per second while latency is measured; defaults to half of the measured throughput
  --minutes   duration of the part stability, which runs only with this option
  --only      runs only some parts, of ${Object.keys(PARTS).join(', ')}`;

/**
 * Measures delivery from the commit of an event to the receipt of its message: throughput, latency, fairness beside
 * hanging subscriptions, and the cost of many topics and idle endpoints. Each part has a database of its own. Exits
 * with 1 when a target is missed.
 * @param {string[]} args
 */
export async function run(args) {
  const defaults = { messages: 20_000, rate: NaN, minutes: NaN, only: Object.keys(PARTS) };
  const { messages, rate, minutes, only } = readOptions('delivery', usage, defaults, args);
  let most = rate * 2;
  for (const part of only) {
    if (part === 'stability' && !minutes) continue;
    console.log(`\n${part}`);
    const stage = await Stage.open();
    try {
      const result = await PARTS[part](stage, { messages, minutes, rate: most / 2 || undefined });
      if (part === 'throughput' && !rate) most = result;
    } finally {
      await stage.close();
    }
  }
}
