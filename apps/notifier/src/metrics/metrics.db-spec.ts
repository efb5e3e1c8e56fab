// @group sample: npm test runs a quarter of its tests
import { afterEach, describe, expect, it } from '@jest/globals';
import { lockTopicIndex } from '@ats/domain';
import { getQueueToken } from '@nestjs/bull';
import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import { type Queue } from 'bull';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Lane } from '../queues/queues.js';
import { type DeliveryJob } from '../queues/queues.js';
import { Reconciler } from '../maintenance/reconciler.js';
import { atLeast, metricsOf } from '../../test/app-metrics.js';
import { eventually } from '../../test/eventually.js';
import { readDeliveries, recordEvent, subscribe } from '../../test/fixtures.js';
import { addQueued } from '../../test/queued.js';
import { useReceiver } from '../../test/receiver.js';
import { useStage } from '../../test/running-notifier.js';

const stage = useStage();
const receiver = useReceiver();
let app: NestFastifyApplication;

afterEach(async () => {
  await stage.stopNotifiers();
  await stage.reset();
  await stage.redis.flushdb();
});

const { moves, warns } = metricsOf(() => app);

const queueOf = (lane: Lane): Queue<DeliveryJob> => app.get<Queue<DeliveryJob>>(getQueueToken(lane));
const change = (id: number, assignment: string): Promise<object[]> =>
  stage.database.query(`UPDATE notification_subscriptions SET ${assignment} WHERE id = $1`, [id]);

describe('the metrics of a notifier', () => {
  it('are in the format of Prometheus, with metrics of the process', async () => {
    app = await stage.start();
    const answer = await app.getHttpAdapter().getInstance().inject('/metrics');
    expect(answer.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(answer.payload).toMatch(/^# TYPE ats_notifier_event_to_delivered_seconds histogram$/m);
    expect(answer.payload).toMatch(/^process_cpu_seconds_total \d/m);
    expect(answer.payload).toMatch(/^nodejs_eventloop_lag_p99_seconds \d/m);
    const readme = readFileSync(join(__dirname, '../../README.md'), 'utf8');
    const names = [...answer.payload.matchAll(/^# TYPE ats_notifier_(\w+)/gm)].map(([, name]) => name);
    expect(names.length).toBeGreaterThan(30);
    expect(names.filter((name) => !readme.includes(`\`${name}`))).toEqual([]);
  });

  it('count an event and its deliveries by status', async () => {
    app = await stage.start();
    receiver.respond = ({ path }, response) => void response.writeHead(path === '/fails' ? 503 : 204).end();
    await subscribe(stage.database, { url: receiver.url });
    await subscribe(stage.database, { url: new URL('/fails', receiver.url).href });
    await recordEvent(stage.database);
    await stage.wake();
    await moves({
      events_matched_total: 1,
      deliveries_created_total: 2,
      'attempts_total{reason="auto",outcome="success",status_class="2xx"}': 1,
      'attempts_total{reason="auto",outcome="status",status_class="5xx"}': 1,
      'deliveries_settled_total{status="delivered"}': 1,
      'deliveries_settled_total{status="due"}': 1,
      attempt_duration_seconds_count: 2,
      event_to_first_attempt_seconds_count: 2,
      event_to_delivered_seconds_count: 1,
      event_to_delivered_seconds_sum: (value) => expect(value).toBeLessThan(600),
      'subscriptions{breaker="closed"}': 2,
      outbox_events: 0,
      outbox_oldest_age_seconds: 0,
    });
  });

  it('count deliveries in flight, and waiting and active jobs in Redis', async () => {
    app = await stage.start();
    let answer = (): void => undefined;
    receiver.respond = (_, response) => (answer = () => void response.writeHead(204).end());
    await subscribe(stage.database, { url: receiver.url });
    await recordEvent(stage.database);
    await moves({ 'deliveries_in_flight{lane="hot"}': 1, 'deliveries_in_flight{lane="slow"}': 0 });
    await queueOf('hot').pause();
    await queueOf('hot').add({ deliveryId: 1, occurred: Date.now(), attempts: 99, requeues: 0 });
    const active = queueOf('hot').toKey('active');
    await stage.redis.lpush(active, 'a job'); // A real job would be active for too short a time to be counted.
    await moves({
      'bull_jobs{lane="hot",state="waiting"}': 1,
      'bull_jobs{lane="slow",state="waiting"}': 0,
      'bull_jobs{lane="hot",state="active"}': 1,
    });
    await stage.redis.lrem(active, 1, 'a job');
    answer();
    receiver.respond = (_, response) => void response.writeHead(204).end();
    await queueOf('hot').resume();
    await moves({
      'deliveries_in_flight{lane="hot"}': 0,
      'bull_jobs{lane="hot",state="waiting"}': 0,
      'bull_jobs{lane="hot",state="active"}': 0,
    });
  });

  it('count unmatched and quarantined events, and health warns of both', async () => {
    app = await stage.start();
    await warns();
    await stage.database.transaction(async (transaction) => {
      await lockTopicIndex(transaction);
      await recordEvent(stage.database, { occurred: new Date(Date.now() - 90_000) });
      await recordEvent(stage.database);
      const quarantined = await recordEvent(stage.database);
      await stage.database.query(`UPDATE domain_events SET status = 'quarantined' WHERE id = $1`, [quarantined]);
      await moves({ outbox_events: 2, outbox_oldest_age_seconds: atLeast(90), quarantined_events: 1 });
      await warns('outbox_age', 'quarantined_events');
    });
    await moves({ outbox_events: 0, outbox_oldest_age_seconds: 0, quarantined_events: 1 });
    await warns('quarantined_events');
  });

  it('measure how long deliveries wait, and health warns of long waits for working destinations', async () => {
    app = await stage.start();
    const { subscription: working } = await subscribe(stage.database, { url: receiver.url });
    const { subscription: failing } = await subscribe(stage.database, { url: receiver.url });
    await change(failing.id, 'consecutive_failures = 5');
    await stage.database.transaction(async (transaction) => {
      // The test holds the lock of the due poller, so that the poller reads no due delivery.
      await transaction.query('SELECT pg_advisory_xact_lock(4711002)');
      await addQueued(stage.database, failing.id);
      await stage.database.query(
        `UPDATE notification_deliveries SET status = 'due', queued_dt = NULL,
           next_attempt_dt = now() - interval '500 seconds'`,
      );
      await moves({
        'oldest_due_age_max_seconds{breaker="open"}': atLeast(500),
        'oldest_due_age_p99_seconds{breaker="open"}': atLeast(500),
        'oldest_due_age_max_seconds{breaker="closed"}': 0,
      });
      await warns();
      await addQueued(stage.database, working.id);
      await stage.database.query(
        `UPDATE notification_deliveries SET status = 'due', queued_dt = NULL,
           next_attempt_dt = now() - interval '70 seconds' WHERE subscription_id = $1`,
        [working.id],
      );
      await moves({
        'oldest_due_age_max_seconds{breaker="closed"}': atLeast(70),
        'oldest_due_age_p99_seconds{breaker="closed"}': atLeast(70),
      });
      await warns('due_age');
    });
    await moves({ 'oldest_due_age_max_seconds{breaker="closed"}': 0, 'oldest_due_age_max_seconds{breaker="open"}': 0 });
    await warns();
  });

  it('count subscriptions by the state of their circuit breaker', async () => {
    app = await stage.start();
    for (const assignment of [
      'consecutive_failures = 4',
      'consecutive_failures = 5',
      'is_recovering = true',
      `disabled_dt = now(), disabled_reason = 'gone'`,
      `disabled_dt = now(), disabled_reason = 'failing'`,
    ]) {
      await change((await subscribe(stage.database)).subscription.id, assignment);
    }
    await moves({
      'subscriptions{breaker="closed"}': 1,
      'subscriptions{breaker="open"}': 1,
      'subscriptions{breaker="recovering"}': 1,
      'subscriptions{breaker="disabled"}': 2,
    });
  });

  it('count refused claims and requeued deliveries', async () => {
    app = await stage.start();
    const { subscription } = await subscribe(stage.database, { url: receiver.url });
    await moves({
      claims_refused_total: 0,
      'deliveries_requeued_total{cause="lease"}': 0,
      'deliveries_requeued_total{cause="job"}': 0,
    });
    const id = await addQueued(stage.database, subscription.id, 5_000);
    await moves({ 'deliveries_requeued_total{cause="job"}': 1, 'deliveries_settled_total{status="delivered"}': 1 });
    await stage.database.query(
      `UPDATE notification_deliveries SET status = 'sending', lease_token = gen_random_uuid(), lease_worker = 1,
         lease_until_dt = now() - interval '1 second' WHERE id = $1`,
      [id],
    );
    await moves({ 'deliveries_requeued_total{cause="lease"}': 1, claims_refused_total: 0 });
    await queueOf('hot').add({ deliveryId: id, occurred: Date.now(), attempts: 99, requeues: 0 });
    await moves({ claims_refused_total: 1 });
  });

  it('count findings of reconciliation, and health warns of them', async () => {
    app = await stage.start();
    await subscribe(stage.database, { url: receiver.url });
    for (const subjectId of [1, 2]) await recordEvent(stage.database, { subjectId });
    await eventually(async () =>
      expect((await readDeliveries(stage.database)).map(({ status }) => status)).toEqual(['delivered', 'delivered']),
    );
    const [first, second] = await readDeliveries(stage.database);
    // All writes are in one transaction, because the notifier reconciles at the same time.
    await stage.database.transaction(async (transaction) => {
      await transaction.query(`UPDATE domain_events SET matched_dt = matched_dt - interval '2 minutes'`);
      await transaction.query('DELETE FROM notification_deliveries WHERE id = $1', [first?.id]);
      await transaction.query(
        'UPDATE notification_deliveries SET subscription_id = subscription_id + 1000 WHERE id = $1',
        [second?.id],
      );
    });
    await app.get(Reconciler).reconcile();
    await moves({
      reconciliation_checked_total: 2,
      reconciliation_missing_total: 2,
      reconciliation_unexpected_total: 1,
      reconciliation_undecided_total: 0,
      reconciliation_difference: 3,
      reconciliation_lag_seconds: atLeast(120),
      reconciliation_idle_seconds: (value) => expect(value).toBeLessThan(30),
    });
    await warns('reconciliation_difference');
    await app.get(Reconciler).reconcile();
    await moves({ reconciliation_lag_seconds: 0 });
  });
});
