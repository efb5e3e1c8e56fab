import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type Database } from '@ats/postgres';
import { systemClock } from '../config/clock.js';
import { type Logger } from '@ats/logging';
import { LowWaterMarks } from '../loops/low-water-marks.js';
import { Matcher } from '../matching/matcher.js';
import { Metrics } from '../counters/metrics.js';
import { readReconciliation } from '../metrics/reconciliation-state.js';
import { BASE_URL, readDeliveries, recordEvent, subscribe } from '../../test/fixtures.js';
import { parseMetrics } from '../../test/metrics-text.js';
import { silentLogger } from '../../test/silent-logger.js';
import { useStage } from '../../test/running-notifier.js';
import { Reconciler } from './reconciler.js';

const stage = useStage();
let database: Database;
let metrics: Metrics;
let logged: [object, string][];

beforeAll(() => void ({ database } = stage));
afterEach(() => stage.reset());

function createReconciler(): Reconciler {
  metrics = new Metrics();
  logged = [];
  const logger = {
    ...silentLogger,
    error: (fields: object, text: string) => logged.push([fields, text]),
  } as unknown as Logger;
  return new Reconciler({ database, metrics, logger });
}

/**
 * Adds and matches one event for each subject. Moves the time of matching into the past, because reconciliation leaves
 * out recent events.
 */
async function match(subjects: number): Promise<void> {
  for (let subjectId = 1; subjectId <= subjects; subjectId++) await recordEvent(database, { subjectId });
  const readSubject = (): Promise<never> =>
    Promise.reject(new Error('the reconciler read the subject, although the snapshot has all values'));
  await new Matcher({
    database,
    lowWaterMarks: new LowWaterMarks(database),
    baseUrl: BASE_URL,
    readSubject,
    clock: systemClock,
    logger: silentLogger,
  }).matchBatch();
  await database.query(`UPDATE domain_events SET matched_dt = matched_dt - interval '2 minutes'`);
}

const metric = async (name: string): Promise<number | undefined> =>
  parseMetrics(await metrics.registry.metrics()).get(`reconciliation_${name}`);

describe('the reconciliation of events and deliveries', () => {
  it('finds no differences in correct deliveries, and compares no event twice', async () => {
    await subscribe(database);
    await match(3);
    const reconciler = createReconciler();
    expect(await reconciler.reconcile()).toBe('some');
    expect(await metric('checked_total')).toBe(3);
    expect(await reconciler.reconcile()).toBe('none');
    expect(await createReconciler().reconcile()).toBe('none');
    expect(await metric('checked_total')).toBe(0);
    expect(logged).toEqual([]);
    expect(await readReconciliation(database)).toMatchObject({ difference: 0, lag: 0 });
  });

  it('reports missing and unexpected deliveries until their findings are deleted', async () => {
    const { subscription } = await subscribe(database);
    await match(3);
    const [first, second] = await readDeliveries(database);
    const event = second?.event_id;
    await database.query('DELETE FROM notification_deliveries WHERE id = $1', [first?.id]);
    await database.query('UPDATE notification_deliveries SET subscription_id = subscription_id + 1000 WHERE id = $1', [
      second?.id,
    ]);
    const reconciler = createReconciler();
    await reconciler.reconcile();
    expect([await metric('missing_total'), await metric('unexpected_total')]).toEqual([2, 1]);
    expect(logged).toEqual([
      [
        { event_id: first?.event_id, subscription_id: subscription.id },
        'reconciliation: an event has no delivery for a subscription that should have one',
      ],
      [
        { event_id: event, subscription_id: subscription.id },
        'reconciliation: an event has no delivery for a subscription that should have one',
      ],
      [
        { event_id: event, subscription_id: subscription.id + 1_000 },
        'reconciliation: an event has a delivery for a subscription that should have none',
      ],
    ]);
    await reconciler.reconcile();
    expect(await readReconciliation(database)).toMatchObject({ difference: 3 });
    expect(
      await database.query('SELECT missing, unexpected, examples FROM notification_reconciliation_findings'),
    ).toEqual([
      {
        missing: 2,
        unexpected: 1,
        examples: logged.map(([fields], index) => {
          const { event_id: eventId, subscription_id: subscriptionId } = fields as Readonly<Record<string, unknown>>;
          return { kind: index === 2 ? 'unexpected' : 'missing', eventId, subscriptionId };
        }),
      },
    ]);
    await database.query('DELETE FROM notification_reconciliation_findings');
    expect(await readReconciliation(database)).toMatchObject({ difference: 0 });
  });

  it('finds no difference after the event was matched again', async () => {
    await subscribe(database);
    await match(1);
    await database.query('DELETE FROM notification_deliveries');
    await createReconciler().reconcile();
    expect(await metric('missing_total')).toBe(1);
    await database.query(`UPDATE domain_events SET status = 'new'`);
    await match(0);
    expect(await readDeliveries(database)).toHaveLength(1);
    await createReconciler().reconcile();
    expect([await metric('checked_total'), await metric('missing_total')]).toEqual([1, 0]);
  });

  it('runs in one notifier at a time', async () => {
    await subscribe(database);
    await match(1);
    const reconciler = createReconciler();
    await database.transaction(async (transaction) => {
      await transaction.query('SELECT pg_advisory_xact_lock(4711005)');
      expect(await reconciler.reconcile()).toBe('none');
    });
    expect(await metric('checked_total')).toBe(0);
    await reconciler.reconcile();
    expect(await metric('checked_total')).toBe(1);
  });

  it('reports how far it is behind while it has events left to compare', async () => {
    expect((await readReconciliation(database)).idle).not.toBeNull();
    await subscribe(database);
    const since = performance.now();
    await match(1);
    const reconciler = createReconciler();
    await reconciler.reconcile();
    const { lag, idle } = await readReconciliation(database);
    // Both ages grow while the test runs, and the database rounds times to milliseconds. So a range is expected.
    const seconds = (performance.now() - since) / 1_000 + 0.01;
    expect(lag).toBeGreaterThanOrEqual(120);
    expect(lag).toBeLessThanOrEqual(120 + seconds);
    expect(idle).toBeLessThanOrEqual(seconds);
    await reconciler.reconcile();
    expect((await readReconciliation(database)).lag).toBe(0);
  });
});
