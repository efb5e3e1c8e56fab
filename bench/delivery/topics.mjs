import { sleep } from '../../tools/services/processes.mjs';
import { judge, median } from '../measure.mjs';

const FEW = 1_000;
const MANY = 100_000;
const EVENTS = 4_000;
const ROUNDS = 3;
const RECEIVERS = 10;

/**
 * Measures the cost of an event with few and with many topics: until it is matched, and until its message is received.
 * The many topics include the few, and each event matches one of the few. Both cases therefore send the same number of
 * messages.
 */
export async function measureTopics(stage) {
  const { healthy } = await stage.listen({ healthy: RECEIVERS });
  await stage.subscribe(
    Array.from({ length: FEW }, (_, index) => ({ opportunityId: index + 1, url: healthy[index % RECEIVERS] })),
  );
  await stage.setNotifiers(1);
  const few = await matchSeveralTimes(stage);
  await stage.addSilentTopics(FEW + 1, MANY);
  const many = await matchSeveralTimes(stage);
  const row = (name, { matched, delivered }) =>
    console.log(`${name.padEnd(16)} matched in ${matched.toFixed(3)} ms   delivered in ${delivered.toFixed(3)} ms`);
  row(`${FEW} topics`, few);
  row(`${MANY} topics`, many);
  judge(
    '100,000 topics cost at most twice what 1,000 do, per event',
    many.matched <= 2 * few.matched,
    (many.matched / few.matched).toFixed(2),
  );
}

async function matchSeveralTimes(stage) {
  await match(stage);
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) rounds.push(await match(stage));
  return {
    matched: median(rounds.map(({ matched }) => matched)),
    delivered: median(rounds.map(({ delivered }) => delivered)),
  };
}

/**
 * Writes the events, and waits until they are matched and their messages are received.
 * @returns milliseconds per event
 */
async function match(stage) {
  await stage.query('TRUNCATE notification_deliveries, notification_attempts, domain_events');
  const done = stage.received(EVENTS);
  const startedAt = Date.now();
  await stage.write(Array.from({ length: EVENTS }, (_, index) => (index % FEW) + 1));
  const { lastAt } = await done;
  const [{ matchedAt }] = await stage.query(
    `SELECT extract(epoch FROM max(matched_dt)) * 1000 AS "matchedAt" FROM domain_events`,
  );
  await sleep(500);
  return { matched: (Number(matchedAt) - startedAt) / EVENTS, delivered: (lastAt - startedAt) / EVENTS };
}
