import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type Database, deleteSubscription, disableSubscription } from '@ats/domain';
import { randomUUID } from 'node:crypto';
import { addQueued } from '../../test/queued.js';
import { readAttempts, readDeliveries, type SubscribedTopic, subscribe } from '../../test/fixtures.js';
import { Stage } from '../../test/running-notifier.js';
import { type AttemptOutcome } from './attempt-outcome.js';
import { type ClaimedDelivery, claimDelivery } from './claimed-delivery.js';
import { finishDelivered, finishFailed, type FinishedAttempt } from './finish-attempt.js';

let stage: Stage;
let database: Database;
let subscribed: SubscribedTopic;

beforeAll(async () => {
  stage = await Stage.create();
  database = stage.database;
});
afterEach(() => stage.reset());
afterAll(() => stage.close());

const claim = (deliveryId: number, attempts = 0, token = randomUUID()): Promise<ClaimedDelivery | null> =>
  claimDelivery(database, { deliveryId, attempts }, { token, worker: 1, workerName: 'test' });

const outcome = (statusCode: number, more: Partial<AttemptOutcome> = {}): AttemptOutcome => ({
  error: statusCode < 300 ? null : 'status',
  answer: { statusCode, headers: {}, retryAfter: null, excerpt: '', isTruncated: false },
  isOurFault: false,
  resolveMs: 0,
  headersMs: 1,
  durationMs: 2,
  remoteAddress: null,
  ...more,
});

/** A delivery that is being sent, and its attempt with a result in hand. */
async function sending(statusCode: number, more: Partial<AttemptOutcome> = {}): Promise<FinishedAttempt> {
  subscribed = await subscribe(database);
  const token = randomUUID();
  const delivery = await claim(await addQueued(database, subscribed.subscription.id), 0, token);
  if (!delivery) throw new Error('a queued delivery can be claimed');
  return { delivery, token, outcome: outcome(statusCode, more), requestHeaders: {} };
}
const loseLease = (): Promise<object[]> => database.query(`UPDATE notification_deliveries SET status = 'due', next_attempt_dt = now(), lease_token = NULL`);

describe('claiming', () => {
  it('gives a delivery to one of many jobs', async () => {
    const { subscription } = await subscribe(database);
    const id = await addQueued(database, subscription.id);
    const claims = await Promise.all(Array.from({ length: 8 }, () => claim(id)));
    expect(claims.filter((one) => one !== null)).toHaveLength(1);
    expect(await readAttempts(database)).toMatchObject([{ attempt: 1, state: 'started' }]);
  });

  it.each(['delivered', 'held', 'exhausted', 'cancelled'])('leaves a delivery that is %s', async (status) => {
    const { subscription } = await subscribe(database);
    const id = await addQueued(database, subscription.id);
    await database.query('UPDATE notification_deliveries SET status = $1', [status]);
    expect(await claim(id)).toBeNull();
    expect(await readDeliveries(database)).toMatchObject([{ status, attempts: 0 }]);
  });

  it('leaves a delivery that has gone on since the job was made', async () => {
    const { subscription } = await subscribe(database);
    const id = await addQueued(database, subscription.id);
    await database.query('UPDATE notification_deliveries SET attempts = 1');
    expect(await claim(id, 0)).toBeNull();
    expect(await claim(id, 1)).toMatchObject({ attempts: 2 });
  });

  it('leaves a delivery whose time has not come', async () => {
    const { subscription } = await subscribe(database);
    const id = await addQueued(database, subscription.id);
    await database.query(`UPDATE notification_deliveries SET status = 'due', next_attempt_dt = now() + interval '1 minute'`);
    expect(await claim(id)).toBeNull();
  });
});

describe('finishing', () => {
  it('counts a success even when the claim was lost meanwhile', async () => {
    const finished = await sending(200);
    await loseLease();
    expect(await finishDelivered(database, finished)).toBe('delivered');
    expect(await readDeliveries(database)).toMatchObject([{ status: 'delivered' }]);
    expect(await finishDelivered(database, finished)).toBeNull();
  });

  it('changes nothing but its attempt when a failure comes after the claim was lost', async () => {
    const finished = await sending(500);
    await loseLease();
    expect(await finishFailed(database, finished, 60_000)).toBeNull();
    expect(await readDeliveries(database)).toMatchObject([{ status: 'due', failures: 0, last_status_code: null }]);
    expect(await readAttempts(database)).toMatchObject([{ state: 'done', status_code: 500 }]);
  });

  it('holds a failed delivery when the subscription was disabled meanwhile', async () => {
    const finished = await sending(500);
    await database.transaction((transaction) => disableSubscription(transaction, subscribed.subscription.id, 'requested'));
    expect(await finishFailed(database, finished, 60_000)).toBe('held');
  });

  it.each([500, 410])('cancels a delivery that failed with %i when the subscription was deleted meanwhile', async (statusCode) => {
    const finished = await sending(statusCode);
    await database.transaction((transaction) => deleteSubscription(transaction, { topicId: subscribed.topic.id, id: subscribed.subscription.id }));
    expect(await readDeliveries(database)).toMatchObject([{ status: 'sending' }]);
    expect(await finishFailed(database, finished, 60_000)).toBe('cancelled');
  });

  it('marks a delivery as delivered whose subscription was deleted meanwhile', async () => {
    const finished = await sending(200);
    await database.transaction((transaction) => deleteSubscription(transaction, { topicId: subscribed.topic.id, id: subscribed.subscription.id }));
    expect(await finishDelivered(database, finished)).toBe('delivered');
  });

  it('forgets the failures of a subscription with its first success', async () => {
    const finished = await sending(200);
    await database.query('UPDATE notification_subscriptions SET consecutive_failures = 7, first_failure_dt = now()');
    await finishDelivered(database, finished);
    expect(await database.query('SELECT consecutive_failures, first_failure_dt, average_latency_ms FROM notification_subscriptions')).toEqual([
      { consecutive_failures: 0, first_failure_dt: null, average_latency_ms: 2 },
    ]);
  });

  it.each([
    [9, '5 days', 'failing'],
    [8, '5 days', null],
    [9, '4 days 23:59:00', null],
  ])('after %i failures and %s of them gives the reason %s', async (failures, age, reason) => {
    const finished = await sending(500);
    await addQueued(database, subscribed.subscription.id);
    await database.query('UPDATE notification_subscriptions SET consecutive_failures = $1, first_failure_dt = now() - $2::interval', [failures, age]);
    await finishFailed(database, finished, 60_000);
    expect(await database.query('SELECT disabled_reason FROM notification_subscriptions')).toEqual([{ disabled_reason: reason }]);
    const statuses = (await readDeliveries(database)).map(({ status }) => status);
    expect(statuses).toEqual(reason ? ['held', 'held'] : ['due', 'queued']);
  });

  it('neither counts nor spends a fault of ours', async () => {
    const finished = await sending(0, { answer: null, error: 'resolver_unavailable', isOurFault: true });
    expect(await finishFailed(database, finished, 5_000)).toBe('due');
    expect(await readDeliveries(database)).toMatchObject([{ attempts: 1, failures: 0 }]);
    expect(await database.query('SELECT consecutive_failures FROM notification_subscriptions')).toEqual([{ consecutive_failures: 0 }]);
    expect(await readAttempts(database)).toMatchObject([{ state: 'interrupted', error: 'resolver_unavailable' }]);
  });
});
