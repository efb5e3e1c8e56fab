import { sleep } from '../../tools/services/processes.mjs';

const TICK_MS = 20;

/**
 * Events at a steady rate, whatever becomes of them; those of `ids` in turn.
 * @returns {Promise<number[]>} how long each message took, in milliseconds from its event
 */
export async function drip(stage, { rate, seconds, ids, silentIds = [] }) {
  const total = Math.round(rate * seconds);
  stage.forget();
  const done = stage.received(total);
  const startedAt = performance.now();
  for (let written = 0; written < total; ) {
    const due = Math.min(total, Math.ceil(((performance.now() - startedAt) / 1_000) * rate));
    const events = Array.from({ length: due - written }, (_, index) => ids[(written + index) % ids.length]);
    // As many again that nobody answers.
    if (silentIds.length > 0) events.push(...events.map((_, index) => silentIds[(written + index) % silentIds.length]));
    if (events.length > 0) await stage.write(events);
    written = due;
    await sleep(TICK_MS);
  }
  return (await done).latencies;
}
