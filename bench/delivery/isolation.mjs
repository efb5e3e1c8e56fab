import { judge, quantile } from '../measure.mjs';
import { drip } from './drip.mjs';

const EACH = 50;
const RATE = 200;
const SECONDS = 30;
const ROUNDS = 2;

/** Measures how 50 hanging destinations affect 50 healthy ones. */
export async function measureIsolation(stage) {
  const { healthy, hanging } = await stage.listen({ healthy: EACH, hanging: EACH });
  const ids = healthy.map((_, index) => index + 1);
  const silentIds = hanging.map((_, index) => EACH + index + 1);
  await stage.subscribe([...healthy, ...hanging].map((url, index) => ({ opportunityId: index + 1, url })));
  await stage.setNotifiers(1);
  await drip(stage, { rate: RATE, seconds: 3, ids });
  const p99 = { alone: [], beside: [] };
  for (let round = 0; round < ROUNDS; round++) {
    p99.alone.push(quantile(await drip(stage, { rate: RATE, seconds: SECONDS / 2, ids }), 0.99));
    p99.beside.push(quantile(await drip(stage, { rate: RATE, seconds: SECONDS, ids, silentIds }), 0.99));
    await stage.query(
      `UPDATE notification_deliveries SET status = 'cancelled', finished_dt = now() WHERE status IN ('due', 'queued')`,
    );
  }
  const [alone, beside] = [Math.max(...p99.alone), Math.max(...p99.beside)];
  console.log(
    `${EACH} healthy destinations at ${RATE}/s: p99 ${alone.toFixed(0)} ms alone, ` +
      `${beside.toFixed(0)} ms beside ${EACH} hanging destinations`,
  );
  judge('the p99 of healthy destinations at most doubles', beside <= 2 * alone, (beside / alone).toFixed(2));
}
