import { sleep } from '../../tools/services/processes.mjs';

const TICK_MS = 20;

/**
 * Writes events at a steady rate for the opportunities `ids` in turn. Writes the same number of events for `silentIds`,
 * and does not wait for their messages.
 * @returns {Promise<{ latencies: number[], most: { url: number, origin: number } }>} the time from each event of `ids`
 *   to its message in ms, and the greatest number of concurrent requests to one URL and to one origin
 */
export async function drip(stage, { rate, seconds, ids, silentIds = [] }) {
  const total = Math.round(rate * seconds);
  stage.forget();
  const done = stage.received(total);
  const startedAt = performance.now();
  for (let written = 0; written < total; ) {
    const due = Math.min(total, Math.ceil(((performance.now() - startedAt) / 1_000) * rate));
    const events = Array.from({ length: due - written }, (_, index) => ids[(written + index) % ids.length]);
    // Writes as many events for hanging destinations as for working destinations.
    if (silentIds.length > 0) events.push(...events.map((_, index) => silentIds[(written + index) % silentIds.length]));
    if (events.length > 0) await stage.write(events);
    written = due;
    await sleep(TICK_MS);
  }
  return done;
}
