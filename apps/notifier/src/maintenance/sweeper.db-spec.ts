// @group sample: npm test runs a quarter of its tests
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { deleteSubscription, disableSubscription } from '@ats/domain';
import { stopClock } from '@ats/domain/testing';
import { type Database } from '@ats/postgres';
import { type LaneDispatcher } from '../delivery/lane-dispatcher.js';
import { silentLogger } from '../../test/silent-logger.js';
import { Metrics } from '../counters/metrics.js';
import { NO_MARKS } from '../loops/low-water-marks.js';
import { sweptDeliveries } from '../delivery/store/requeue-deliveries.js';
import { WorkerHeartbeat } from '../loops/worker-heartbeat.js';
import { eventually } from '../../test/eventually.js';
import { BY_NOTIFIER, readAttempts, readDeliveries, type SubscribedTopic, subscribe } from '../../test/fixtures.js';
import { addQueued, claimOne } from '../../test/queued.js';
import { useStage } from '../../test/running-notifier.js';
import { Sweeper } from './sweeper.js';

afterAll(() => living.stop());
// The clock stands still, so the duration of the tests changes no age.
const stage = useStage({ hasMovableClock: true });
let database: Database;
let living: WorkerHeartbeat;
let subscribed: SubscribedTopic;
const DEAD = 1;

beforeAll(async () => {
  ({ database } = stage);
  await stopClock(database);
  living = new WorkerHeartbeat({ database, logger: silentLogger, listeners: {} });
  await living.start();
});
afterEach(() => stage.reset());

let lost = new Set<number>();
const dispatcher = { isLost: ({ id }: { id: number }) => Promise.resolve(lost.has(id)) } as unknown as LaneDispatcher;
async function sweep(): Promise<boolean> {
  let isDue = false;
  const sweeper = new Sweeper({
    database,
    lowWaterMarks: { current: NO_MARKS },
    dispatcher,
    logger: silentLogger,
    metrics: new Metrics(),
    onDue: () => (isDue = true),
  });
  await sweeper.sweep();
  return isDue;
}

/** Adds a delivery that a worker claimed `ageMs` ago. */
async function addSending(worker: number, ageMs: number): Promise<number> {
  subscribed = await subscribe(database);
  const id = await addQueued(database, subscribed.subscription.id);
  await claimOne(database, id, { worker });
  await database.query(
    `UPDATE notification_deliveries SET lease_until_dt = lease_until_dt - $1 * interval '1 millisecond'`,
    [ageMs],
  );
  return id;
}

describe('the sweeper of deliveries', () => {
  it('requeues a delivery whose lease has expired, even when its worker is alive', async () => {
    await addSending(living.worker, 45_001);
    expect(await sweep()).toBe(true);
    expect(await readDeliveries(database)).toMatchObject([
      { status: 'due', attempts: 1, failures: 0, last_error: 'interrupted' },
    ]);
    expect(await readAttempts(database)).toMatchObject([{ state: 'interrupted', error: 'interrupted' }]);
  });

  it('requeues after another notifier stopped in the middle of a sweep, which is rolled back', async () => {
    await addSending(DEAD, 10_000);
    let resume: () => void = () => undefined;
    const resumed = new Promise<void>((resolve) => (resume = resolve));
    let frozenSweep: Promise<unknown> = Promise.resolve();
    await new Promise<void>((resolve, reject) => {
      const transaction: Database['transaction'] = (work) =>
        database.transaction(async (own) => {
          const result = await work(own);
          resolve();
          await resumed;
          return result;
        });
      const frozen = Object.create(database, { transaction: { value: transaction } }) as Database;
      frozenSweep = sweptDeliveries(frozen).requeueExpired();
      frozenSweep.catch(reject);
    });
    await eventually(async () => expect(await sweep()).toBe(true));
    resume();
    await expect(frozenSweep).rejects.toThrow();
    expect(await readDeliveries(database)).toMatchObject([{ status: 'due' }]);
  });

  it('does not requeue a delivery whose worker is alive before its lease expires', async () => {
    await addSending(living.worker, 45_000);
    expect(await sweep()).toBe(false);
    expect(await readDeliveries(database)).toMatchObject([{ status: 'sending' }]);
  });

  it('requeues a delivery of a dead worker 3 seconds after the claim', async () => {
    await addSending(DEAD, 3_000);
    expect(await sweep()).toBe(false);
    await database.query(
      `UPDATE notification_deliveries SET lease_until_dt = lease_until_dt - interval '1 millisecond'`,
    );
    expect(await sweep()).toBe(true);
    expect(await readDeliveries(database)).toMatchObject([{ status: 'due' }]);
  });

  it('cancels deliveries of a deleted subscription, and holds deliveries of a disabled one', async () => {
    await addSending(DEAD, 10_000);
    await database.transaction((transaction) =>
      deleteSubscription(transaction, { topicId: subscribed.topic.id, id: subscribed.subscription.id }),
    );
    await addSending(DEAD, 10_000);
    await database.transaction((transaction) =>
      disableSubscription(transaction, subscribed.subscription.id, 'requested', BY_NOTIFIER),
    );
    await sweep();
    expect(await readDeliveries(database)).toMatchObject([{ status: 'cancelled' }, { status: 'held' }]);
  });

  it('does not send a test message again', async () => {
    const id = await addSending(DEAD, 10_000);
    await database.query('UPDATE notification_deliveries SET event_id = NULL WHERE id = $1', [id]);
    await sweep();
    expect(await readDeliveries(database)).toMatchObject([{ status: 'exhausted' }]);
  });

  it('requeues a delivery whose job is lost, and increments its number of requeues', async () => {
    const { subscription } = await subscribe(database);
    const id = await addQueued(database, subscription.id, 1_001);
    lost = new Set([id]);
    expect(await sweep()).toBe(true);
    expect(await readDeliveries(database)).toMatchObject([
      { status: 'due', requeues: 1, attempts: 0, wait_ms: expect.any(Number) },
    ]);
  });

  it('keeps the due time, so that no later message of the subject overtakes it', async () => {
    const { subscription } = await subscribe(database);
    const [claimed, lostOne] = [
      await addQueued(database, subscription.id),
      await addQueued(database, subscription.id, 1_001),
    ];
    await database.query(`UPDATE notification_deliveries SET next_attempt_dt = now() - interval '7 seconds'`);
    await claimOne(database, claimed, { worker: DEAD });
    await database.query(`UPDATE notification_deliveries SET lease_until_dt = lease_until_dt - interval '10 seconds'`);
    lost = new Set([lostOne]);
    await sweep();
    const seven = { status: 'due', wait_ms: -7_000 };
    expect(await readDeliveries(database)).toMatchObject([seven, seven]);
  });

  it('does not check a new job, and treats a job as lost after a minute', async () => {
    const { subscription } = await subscribe(database);
    const young = await addQueued(database, subscription.id, 1_000);
    lost = new Set([young]);
    expect(await sweep()).toBe(false);
    lost = new Set();
    await addQueued(database, subscription.id, 60_000);
    expect(await sweep()).toBe(false);
    await addQueued(database, subscription.id, 60_001);
    expect(await sweep()).toBe(true);
    expect((await readDeliveries(database)).map(({ status }) => status)).toEqual(['queued', 'queued', 'due']);
  });
});
