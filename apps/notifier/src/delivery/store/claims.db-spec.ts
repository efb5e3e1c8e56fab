import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { deleteSubscription, disableSubscription, enableSubscription } from '@ats/domain';
import { type Database } from '@ats/postgres';
import { randomUUID } from 'node:crypto';
import { addQueued, claimOne } from '../../../test/queued.js';
import { readAttempts, readDeliveries, type SubscribedTopic, subscribe } from '../../../test/fixtures.js';
import { useStage } from '../../../test/running-notifier.js';
import { type AttemptOutcome } from '../http/attempt-outcome.js';
import { claimDeliveries, type ClaimedDelivery } from './claimed-deliveries.js';
import { finishAttempts, type FinishedAttempt, type SettledStatus } from './finish-attempts.js';

const stage = useStage();
let database: Database;
let subscribed: SubscribedTopic;

beforeAll(() => void ({ database } = stage));
afterEach(() => stage.reset());

const claim = (deliveryId: number, attempts = 0): Promise<ClaimedDelivery | null> =>
  claimOne(database, deliveryId, { attempts });
async function finish(attempt: FinishedAttempt, delayMs: number | null = 60_000): Promise<SettledStatus> {
  const [status] = await finishAttempts(database, [{ ...attempt, delayMs }], 'test');
  return status ?? null;
}

const outcome = (statusCode: number, more: Partial<AttemptOutcome> = {}): AttemptOutcome => ({
  error: statusCode < 300 ? null : 'status',
  answer: { statusCode, headers: {}, retryAfter: null, excerpt: '', isTruncated: false },
  isOwnError: false,
  resolveMs: 0,
  headersMs: 1,
  durationMs: 2,
  remoteAddress: null,
  ...more,
});

/** Claims a delivery and returns its finished attempt. */
async function sending(statusCode: number, more: Partial<AttemptOutcome> = {}): Promise<FinishedAttempt> {
  subscribed = await subscribe(database);
  return another(statusCode, more);
}
/** Claims one more delivery of the same subscription. */
async function another(statusCode: number, more: Partial<AttemptOutcome> = {}): Promise<FinishedAttempt> {
  const delivery = await claim(await addQueued(database, subscribed.subscription.id));
  if (!delivery) throw new Error('a queued delivery can be claimed');
  return { delivery, outcome: outcome(statusCode, more), requestHeaders: {}, delayMs: 60_000 };
}
const loseLease = (): Promise<object[]> =>
  database.query(`UPDATE notification_deliveries SET status = 'due', next_attempt_dt = now(), lease_token = NULL`);

describe('claiming', () => {
  it('gives a delivery to one of several jobs', async () => {
    const { subscription } = await subscribe(database);
    const id = await addQueued(database, subscription.id);
    const claims = await Promise.all(Array.from({ length: 8 }, () => claim(id)));
    expect(claims.filter((one) => one !== null)).toHaveLength(1);
    expect(await readDeliveries(database)).toMatchObject([{ status: 'sending', attempts: 1 }]);
  });

  it.each(['delivered', 'held', 'exhausted', 'cancelled'])('skips a delivery that is %s', async (status) => {
    const { subscription } = await subscribe(database);
    const id = await addQueued(database, subscription.id);
    await database.query('UPDATE notification_deliveries SET status = $1', [status]);
    expect(await claim(id)).toBeNull();
    expect(await readDeliveries(database)).toMatchObject([{ status, attempts: 0 }]);
  });

  it('skips a delivery with a later attempt than its job', async () => {
    const { subscription } = await subscribe(database);
    const id = await addQueued(database, subscription.id);
    await database.query('UPDATE notification_deliveries SET attempts = 1');
    expect(await claim(id, 0)).toBeNull();
    expect(await claim(id, 1)).toMatchObject({ attempts: 2 });
  });

  it('skips a due delivery that was not queued for this job', async () => {
    const { subscription } = await subscribe(database);
    const id = await addQueued(database, subscription.id);
    await database.query(
      `UPDATE notification_deliveries SET status = 'due', next_attempt_dt = now() - interval '1 minute'`,
    );
    expect(await claim(id)).toBeNull();
  });

  it('skips a delivery that was held and released after its job was queued', async () => {
    const { subscription } = await subscribe(database);
    const id = await addQueued(database, subscription.id);
    await database.transaction((transaction) => disableSubscription(transaction, subscription.id, 'requested'));
    await database.transaction((transaction) => enableSubscription(transaction, subscription.id));
    await database.query(`UPDATE notification_deliveries SET status = 'queued', queued_dt = now()`);
    expect(await claim(id)).toBeNull();
    expect(await claimOne(database, id, { requeues: 1 })).not.toBeNull();
  });
});

describe('finishing', () => {
  it('counts a success even when the claim was lost', async () => {
    const finished = await sending(200);
    await loseLease();
    expect(await finish(finished)).toBe('delivered');
    expect(await readDeliveries(database)).toMatchObject([{ status: 'delivered' }]);
    expect(await finish(finished)).toBeNull();
  });

  it('stores only the attempt when it failed after the claim was lost', async () => {
    const finished = await sending(500);
    await loseLease();
    expect(await finish(finished, 60_000)).toBeNull();
    expect(await readDeliveries(database)).toMatchObject([{ status: 'due', failures: 0, last_status_code: null }]);
    expect(await readAttempts(database)).toMatchObject([{ state: 'done', status_code: 500 }]);
  });

  it('holds a failed delivery when the subscription was disabled during the attempt', async () => {
    const finished = await sending(500);
    await database.transaction((transaction) =>
      disableSubscription(transaction, subscribed.subscription.id, 'requested'),
    );
    expect(await finish(finished, 60_000)).toBe('held');
  });

  it.each([500, 410])(
    'cancels a delivery that failed with %i when the subscription was deleted during the attempt',
    async (statusCode) => {
      const finished = await sending(statusCode);
      await database.transaction((transaction) =>
        deleteSubscription(transaction, { topicId: subscribed.topic.id, id: subscribed.subscription.id }),
      );
      expect(await readDeliveries(database)).toMatchObject([{ status: 'sending' }]);
      expect(await finish(finished, 60_000)).toBe('cancelled');
    },
  );

  it('marks a delivery as delivered when its subscription was deleted during the attempt', async () => {
    const finished = await sending(200);
    await database.transaction((transaction) =>
      deleteSubscription(transaction, { topicId: subscribed.topic.id, id: subscribed.subscription.id }),
    );
    expect(await finish(finished)).toBe('delivered');
  });

  it('resets the failures of a subscription with its first success', async () => {
    const finished = await sending(200);
    await database.query('UPDATE notification_subscriptions SET consecutive_failures = 7, first_failure_dt = now()');
    await finish(finished);
    expect(
      await database.query(
        'SELECT consecutive_failures, first_failure_dt, average_latency_ms FROM notification_subscriptions',
      ),
    ).toEqual([{ consecutive_failures: 0, first_failure_dt: null, average_latency_ms: 2 }]);
  });

  it.each([
    [9, '5 days', 'failing'],
    [8, '5 days', null],
    [9, '4 days 23:59:00', null],
  ])('after %i failures within %s sets the reason %s', async (failures, age, reason) => {
    const finished = await sending(500);
    await addQueued(database, subscribed.subscription.id);
    await database.query(
      'UPDATE notification_subscriptions SET consecutive_failures = $1, first_failure_dt = now() - $2::interval',
      [failures, age],
    );
    await finish(finished, 60_000);
    expect(await database.query('SELECT disabled_reason FROM notification_subscriptions')).toEqual([
      { disabled_reason: reason },
    ]);
    const statuses = (await readDeliveries(database)).map(({ status }) => status);
    expect(statuses).toEqual(reason ? ['held', 'held'] : ['due', 'queued']);
  });

  it('counts an attempt once when its result is stored several times', async () => {
    const failed = await sending(503);
    await finish(failed);
    expect(await finish(failed)).toBeNull();
    expect(
      await database.query('SELECT consecutive_failures, in_flight_limit FROM notification_subscriptions'),
    ).toEqual([{ consecutive_failures: 1, in_flight_limit: 2 }]);
  });

  it.each([410, 500])(
    'does not count %i for the subscription after a lost claim or from a former address',
    async (statusCode) => {
      const late = await sending(statusCode);
      await loseLease();
      expect(await finish(late)).toBeNull();
      const moved = await another(statusCode);
      await database.query(`UPDATE notification_subscriptions SET destination_url = 'https://elsewhere.example.com/'`);
      expect(await finish(moved)).toBe('due');
      expect(
        await database.query('SELECT consecutive_failures, disabled_reason FROM notification_subscriptions'),
      ).toEqual([{ consecutive_failures: 0, disabled_reason: null }]);
    },
  );

  it('does not count an attempt with an error inside the notifier', async () => {
    const finished = await sending(0, { answer: null, error: 'resolver_unavailable', isOwnError: true });
    expect(await finish(finished, 5_000)).toBe('due');
    expect(await readDeliveries(database)).toMatchObject([{ attempts: 1, failures: 0 }]);
    expect(await database.query('SELECT consecutive_failures FROM notification_subscriptions')).toEqual([
      { consecutive_failures: 0 },
    ]);
    expect(await readAttempts(database)).toMatchObject([{ state: 'interrupted', error: 'resolver_unavailable' }]);
  });
});

describe('batches', () => {
  it('give each delivery to one worker in any order, and skip locked deliveries', async () => {
    const { subscription } = await subscribe(database);
    const ids = await Promise.all(Array.from({ length: 30 }, () => addQueued(database, subscription.id)));
    const rows = await readDeliveries(database);
    const jobs = ids.map((deliveryId) => ({
      job: {
        deliveryId,
        occurred: rows.find(({ id }) => id === deliveryId)?.occurred_dt.getTime() ?? 0,
        attempts: 0,
        requeues: 0,
      },
    }));
    const [locked] = ids;
    await database.transaction(async (transaction) => {
      await transaction.query('SELECT FROM notification_deliveries WHERE id = $1 FOR UPDATE', [locked]);
      const claims = await Promise.all(
        [jobs, [...jobs].reverse()].map((some) =>
          claimDeliveries(
            database,
            some.map((one) => ({ ...one, token: randomUUID() })),
            1,
          ),
        ),
      );
      const claimed = claims.flat().flatMap((one) => one?.id ?? []);
      expect(claimed).toHaveLength(29);
      expect(new Set([...claimed, locked])).toEqual(new Set(ids));
    });
    expect(await claim(locked ?? 0)).not.toBeNull();
  });

  it('finish each delivery by its own outcome, and count the failures after the last success', async () => {
    const attempts = [
      await sending(500),
      await another(500),
      await another(204),
      await another(404),
      await another(503),
    ];
    const results = await finishAttempts(
      database,
      attempts.map((attempt, index) => ({ ...attempt, delayMs: index === 3 ? null : 60_000 })),
      'test',
    );
    expect(results).toEqual(['due', 'due', 'delivered', 'exhausted', 'due']);
    expect(await readAttempts(database)).toHaveLength(5);
    expect(await database.query('SELECT consecutive_failures FROM notification_subscriptions')).toEqual([
      { consecutive_failures: 2 },
    ]);
  });

  it('prefer the success of two attempts for one delivery', async () => {
    const late = await sending(204);
    await database.query(`UPDATE notification_deliveries SET status = 'queued', queued_dt = now(), lease_token = NULL`);
    const owner = await claim(late.delivery.id, 1);
    if (!owner) throw new Error('a queued delivery can be claimed');
    const failed = { ...late, delivery: owner, outcome: outcome(500) };
    expect(await finishAttempts(database, [failed, late], 'test')).toEqual([null, 'delivered']);
    expect(await readAttempts(database)).toHaveLength(2);
  });

  it('never deadlock on shared subscriptions', async () => {
    const subscriptions = [await subscribe(database), await subscribe(database), await subscribe(database)];
    const attempts: FinishedAttempt[] = [];
    for (let round = 0; round < 20; round++) {
      for (subscribed of subscriptions) attempts.push(await another(round % 3 === 0 ? 500 : 204));
    }
    const halves = [
      attempts.filter((_, index) => index % 2 === 0),
      attempts.filter((_, index) => index % 2 === 1).reverse(),
    ];
    const results = await Promise.all(halves.map((half) => finishAttempts(database, half, 'test')));
    expect(results.flat().every((status) => status === 'delivered' || status === 'due')).toBe(true);
  });
});

describe('the concurrency limit of a subscription', () => {
  const limits = (): Promise<object[]> =>
    database.query('SELECT in_flight_limit AS "limit", is_recovering AS recovering FROM notification_subscriptions');

  it('is halved by each overload, at least 1, and grows by 1 after 20 successes', async () => {
    await finish(await sending(503));
    expect(await limits()).toEqual([{ limit: 2, recovering: false }]);
    await finish(await another(0, { answer: null, error: 'timeout' }));
    await finish(await another(429));
    expect(await limits()).toEqual([{ limit: 1, recovering: false }]);
    for (let count = 0; count < 19; count++) await finish(await another(204));
    expect(await limits()).toEqual([{ limit: 1, recovering: false }]);
    await finish(await another(204));
    expect(await limits()).toEqual([{ limit: 2, recovering: false }]);
  });

  it('grows after 20 successes despite single failures', async () => {
    await finish(await sending(503));
    for (let count = 0; count < 20; count++) {
      await finish(await another(204));
      if (count % 5 === 0) await finish(await another(500));
    }
    expect(await limits()).toEqual([{ limit: 3, recovering: false }]);
  });

  it('is not changed by failures other than an overload', async () => {
    for (const status of [500, 400, 404]) await finish(status === 500 ? await sending(status) : await another(status));
    expect(await limits()).toEqual([{ limit: 4, recovering: false }]);
  });

  it('starts with 1 after five consecutive failures, and doubles with each round of successes', async () => {
    await finish(await sending(500));
    for (let count = 0; count < 4; count++) await finish(await another(500));
    const seen: object[] = [];
    for (let count = 0; count < 4; count++) {
      await finish(await another(204));
      seen.push(...(await limits()));
    }
    expect(seen).toEqual([
      { limit: 1, recovering: true },
      { limit: 2, recovering: true },
      { limit: 2, recovering: true },
      { limit: 4, recovering: false },
    ]);
  });
});

describe('a ping', () => {
  const ping = async (statusCode: number, more: Partial<AttemptOutcome> = {}): Promise<FinishedAttempt> => {
    subscribed = await subscribe(database);
    const id = await addQueued(database, subscribed.subscription.id);
    await database.query(
      `UPDATE notification_deliveries SET event_id = NULL, sequence = 0, subject_type = NULL, subject_id = NULL,
         reason = 'ping'`,
    );
    const delivery = await claim(id);
    if (!delivery) throw new Error('a queued delivery can be claimed');
    return { delivery, outcome: outcome(statusCode, more), requestHeaders: {}, delayMs: 60_000 };
  };
  const counters = (): Promise<object[]> =>
    database.query(
      `SELECT consecutive_failures AS failures, last_success_dt AS success, in_flight_limit AS "limit",
         disabled_reason AS disabled FROM notification_subscriptions`,
    );

  it.each([
    [204, 'delivered'],
    [503, 'exhausted'],
    [410, 'exhausted'],
  ])('answered with %i becomes %s and does not count for its subscription', async (statusCode, status) => {
    expect(await finish(await ping(statusCode))).toBe(status);
    expect(await counters()).toEqual([{ failures: 0, success: null, limit: 4, disabled: null }]);
    expect(await readAttempts(database)).toMatchObject([{ reason: 'ping', status_code: statusCode }]);
  });

  it('is repeated after an error inside the notifier', async () => {
    expect(await finish(await ping(0, { answer: null, error: 'resolver_unavailable', isOwnError: true }), 5_000)).toBe(
      'due',
    );
    expect(await readDeliveries(database)).toMatchObject([{ reason: 'ping' }]);
  });
});
