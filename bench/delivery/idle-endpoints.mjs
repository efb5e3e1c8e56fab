import { judge, printTable } from '../measure.mjs';
import { drain, medians } from './throughput.mjs';

const BUSY = 100;
const ALL = 10_000;
const RECEIVERS = 10;
const ROUNDS = 3;
const MAX_RATIO = 1.2;

/**
 * Measures the processor time of a message when 100 endpoints exist, and when 9,900 idle ones exist beside them. Both
 * cases take turns.
 */
export async function measureIdleEndpoints(stage, { messages }) {
  const { healthy } = await stage.listen({ healthy: RECEIVERS });
  const ids = Array.from({ length: BUSY }, (_, index) => index + 1);
  await stage.subscribe(ids.map((opportunityId) => ({ opportunityId, url: healthy[opportunityId % RECEIVERS] })));
  await stage.setNotifiers(1);
  const runs = { few: [], many: [] };
  const measure = async () => {
    await drain(stage, ids, BUSY); // Lets the notifier read the changed topics before the measurement.
    return drain(stage, ids, messages);
  };
  for (let round = 0; round <= ROUNDS; round++) {
    const few = await measure();
    await stage.addSilentTopics(BUSY + 1, ALL);
    const many = await measure();
    await stage.removeSilentTopics();
    // The first round is a warm-up and does not count.
    if (round > 0) for (const [name, result] of Object.entries({ few, many })) runs[name].push(result);
  }
  const few = medians(runs.few);
  const many = medians(runs.many);
  const row = (name, { rate, sender, postgres, redis }) => [
    name,
    rate.toFixed(0),
    ...[sender, postgres, redis].map((us) => us.toFixed(0)),
  ];
  console.log(`\n${messages} messages to ${BUSY} endpoints, processor time in us for each message`);
  printTable([
    ['endpoints', 'messages/s', 'sender', 'PostgreSQL', 'Redis'],
    row(String(BUSY), few),
    row(String(ALL), many),
  ]);
  const costOf = ({ sender, postgres, redis }) => sender + postgres + redis;
  const ratio = costOf(many) / costOf(few);
  judge(`a message costs at most ${MAX_RATIO} beside 9,900 idle endpoints`, ratio <= MAX_RATIO, ratio.toFixed(2));
}
