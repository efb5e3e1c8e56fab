// @group sample: npm test runs a quarter of its tests
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { deleteSubscription, disableSubscription } from '@ats/domain';
import { type Database } from '@ats/postgres';
import { outcomeOf, TestAttempts } from '../../../test/attempts.js';
import { BY_NOTIFIER, readAttempts, readDeliveries, subscribe, WORKER } from '../../../test/fixtures.js';
import { addQueued } from '../../../test/queued.js';
import { useStage } from '../../../test/running-notifier.js';
import { type AttemptOutcome } from '../http/attempt-outcome.js';
import { finishAttempts, type FinishedAttempt } from './finish-attempts.js';

const stage = useStage();
const attempts = new TestAttempts(stage);
let database: Database;

beforeAll(() => void ({ database } = stage));
afterEach(() => stage.reset());
const loseLease = (): Promise<object[]> =>
  database.query(`UPDATE notification_deliveries SET status = 'due', next_attempt_dt = now(), lease_token = NULL`);

describe('finishing an attempt', () => {
  it('counts a success even when the claim was lost', async () => {
    const finished = await attempts.sending(200);
    await loseLease();
    expect(await attempts.finish(finished)).toBe('delivered');
    expect(await readDeliveries(database)).toMatchObject([{ status: 'delivered' }]);
    expect(await attempts.finish(finished)).toBeNull();
  });

  it('stores only the attempt when it failed after the claim was lost', async () => {
    const finished = await attempts.sending(500);
    await loseLease();
    expect(await attempts.finish(finished, 60_000)).toBeNull();
    expect(await readDeliveries(database)).toMatchObject([{ status: 'due', failures: 0, last_status_code: null }]);
    expect(await readAttempts(database)).toMatchObject([{ state: 'done', status_code: 500 }]);
  });

  it('holds a failed delivery when the subscription was disabled during the attempt', async () => {
    const finished = await attempts.sending(500);
    await database.transaction((transaction) =>
      disableSubscription(transaction, attempts.subscriptionId, 'requested', BY_NOTIFIER),
    );
    expect(await attempts.finish(finished, 60_000)).toBe('held');
  });

  it.each([500, 410])(
    'cancels a delivery that failed with %i when the subscription was deleted during the attempt',
    async (statusCode) => {
      const finished = await attempts.sending(statusCode);
      await database.transaction((transaction) =>
        deleteSubscription(transaction, { topicId: attempts.topicId, id: attempts.subscriptionId }),
      );
      expect(await readDeliveries(database)).toMatchObject([{ status: 'sending' }]);
      expect(await attempts.finish(finished, 60_000)).toBe('cancelled');
    },
  );

  it('marks a delivery as delivered when its subscription was deleted during the attempt', async () => {
    const finished = await attempts.sending(200);
    await database.transaction((transaction) =>
      deleteSubscription(transaction, { topicId: attempts.topicId, id: attempts.subscriptionId }),
    );
    expect(await attempts.finish(finished)).toBe('delivered');
  });

  it('resets the failures of a subscription with its first success', async () => {
    const finished = await attempts.sending(200);
    await database.query('UPDATE notification_subscriptions SET consecutive_failures = 7, first_failure_dt = now()');
    await attempts.finish(finished);
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
  ])('sets disabled_reason after %i earlier failures in %s to %s', async (failures, age, reason) => {
    const finished = await attempts.sending(500);
    await addQueued(database, attempts.subscriptionId);
    await database.query(
      'UPDATE notification_subscriptions SET consecutive_failures = $1, first_failure_dt = now() - $2::interval',
      [failures, age],
    );
    await attempts.finish(finished, 60_000);
    expect(await database.query('SELECT disabled_reason FROM notification_subscriptions')).toEqual([
      { disabled_reason: reason },
    ]);
    const statuses = (await readDeliveries(database)).map(({ status }) => status);
    expect(statuses).toEqual(reason ? ['held', 'held'] : ['due', 'queued']);
  });

  it('counts an attempt once when its result is stored several times', async () => {
    const failed = await attempts.sending(503);
    await attempts.finish(failed);
    expect(await attempts.finish(failed)).toBeNull();
    expect(
      await database.query('SELECT consecutive_failures, in_flight_limit FROM notification_subscriptions'),
    ).toEqual([{ consecutive_failures: 1, in_flight_limit: 2 }]);
  });

  it.each([410, 500])(
    'does not count the answer %i for the subscription after a lost claim, or from a former destination',
    async (statusCode) => {
      const late = await attempts.sending(statusCode);
      await loseLease();
      expect(await attempts.finish(late)).toBeNull();
      const moved = await attempts.another(statusCode);
      await database.query(`UPDATE notification_subscriptions SET destination_url = 'https://elsewhere.example.com/'`);
      expect(await attempts.finish(moved)).toBe('due');
      expect(
        await database.query('SELECT consecutive_failures, disabled_reason FROM notification_subscriptions'),
      ).toEqual([{ consecutive_failures: 0, disabled_reason: null }]);
    },
  );

  it('does not count an attempt with an error inside the notifier', async () => {
    const finished = await attempts.sending(0, { answer: null, error: 'resolver_unavailable', isOwnError: true });
    expect(await attempts.finish(finished, 5_000)).toBe('due');
    expect(await readDeliveries(database)).toMatchObject([{ attempts: 1, failures: 0 }]);
    expect(await database.query('SELECT consecutive_failures FROM notification_subscriptions')).toEqual([
      { consecutive_failures: 0 },
    ]);
    expect(await readAttempts(database)).toMatchObject([{ state: 'interrupted', error: 'resolver_unavailable' }]);
  });
});

describe('batches of finished attempts', () => {
  it('finish each delivery by its own outcome, and count the failures after the last success', async () => {
    const finished = [
      await attempts.sending(500),
      await attempts.another(500),
      await attempts.another(204),
      await attempts.another(404),
      await attempts.another(503),
    ];
    const results = await finishAttempts(
      database,
      finished.map((attempt, index) => ({ ...attempt, delayMs: index === 3 ? null : 60_000 })),
      WORKER,
    );
    expect(results).toEqual(['due', 'due', 'delivered', 'exhausted', 'due']);
    expect(await readAttempts(database)).toHaveLength(5);
    expect(await database.query('SELECT consecutive_failures FROM notification_subscriptions')).toEqual([
      { consecutive_failures: 2 },
    ]);
  });

  it('store a success when two attempts for one delivery have different results', async () => {
    const late = await attempts.sending(204);
    await database.query(`UPDATE notification_deliveries SET status = 'queued', queued_dt = now(), lease_token = NULL`);
    const owner = await attempts.claim(late.delivery.id, 1);
    if (!owner) throw new Error('the queued delivery could not be claimed');
    const failed = { ...late, delivery: owner, outcome: outcomeOf(500) };
    expect(await finishAttempts(database, [failed, late], WORKER)).toEqual([null, 'delivered']);
    expect(await readAttempts(database)).toHaveLength(2);
  });

  it('never deadlock on shared subscriptions', async () => {
    const subscriptions = [await subscribe(database), await subscribe(database), await subscribe(database)];
    const finished: FinishedAttempt[] = [];
    for (let round = 0; round < 20; round++) {
      for (const { subscription } of subscriptions) {
        attempts.subscriptionId = subscription.id;
        finished.push(await attempts.another(round % 3 === 0 ? 500 : 204));
      }
    }
    const halves = [
      finished.filter((_, index) => index % 2 === 0),
      finished.filter((_, index) => index % 2 === 1).reverse(),
    ];
    const results = await Promise.all(halves.map((half) => finishAttempts(database, half, WORKER)));
    expect(results.flat().every((status) => status === 'delivered' || status === 'due')).toBe(true);
  });
});

describe('the concurrency limit of a subscription', () => {
  const limits = (): Promise<object[]> =>
    database.query('SELECT in_flight_limit AS "limit", is_recovering AS recovering FROM notification_subscriptions');

  it('is halved by each overload, down to 1, and grows by 1 after 20 successes', async () => {
    await attempts.finish(await attempts.sending(503));
    expect(await limits()).toEqual([{ limit: 2, recovering: false }]);
    await attempts.finish(await attempts.another(0, { answer: null, error: 'timeout' }));
    await attempts.finish(await attempts.another(429));
    expect(await limits()).toEqual([{ limit: 1, recovering: false }]);
    for (let count = 0; count < 19; count++) await attempts.finish(await attempts.another(204));
    expect(await limits()).toEqual([{ limit: 1, recovering: false }]);
    await attempts.finish(await attempts.another(204));
    expect(await limits()).toEqual([{ limit: 2, recovering: false }]);
  });

  it('grows after 20 successes despite single failures', async () => {
    await attempts.finish(await attempts.sending(503));
    for (let count = 0; count < 20; count++) {
      await attempts.finish(await attempts.another(204));
      if (count % 5 === 0) await attempts.finish(await attempts.another(500));
    }
    expect(await limits()).toEqual([{ limit: 3, recovering: false }]);
  });

  it('is not changed by failures other than an overload', async () => {
    for (const status of [500, 400, 404])
      await attempts.finish(status === 500 ? await attempts.sending(status) : await attempts.another(status));
    expect(await limits()).toEqual([{ limit: 4, recovering: false }]);
  });

  it('starts with 1 after five consecutive failures, and doubles with each round of successes', async () => {
    await attempts.finish(await attempts.sending(500));
    for (let count = 0; count < 4; count++) await attempts.finish(await attempts.another(500));
    const seen: object[] = [];
    for (let count = 0; count < 4; count++) {
      await attempts.finish(await attempts.another(204));
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

describe('a test message', () => {
  const ping = async (statusCode: number, more: Partial<AttemptOutcome> = {}): Promise<FinishedAttempt> => {
    const { subscription } = await subscribe(database);
    const id = await addQueued(database, subscription.id);
    await database.query(
      `UPDATE notification_deliveries SET event_id = NULL, sequence = 0, subject_type = NULL, subject_id = NULL,
         reason = 'ping'`,
    );
    return attempts.attemptOf(id, statusCode, more);
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
    expect(await attempts.finish(await ping(statusCode))).toBe(status);
    expect(await counters()).toEqual([{ failures: 0, success: null, limit: 4, disabled: null }]);
    expect(await readAttempts(database)).toMatchObject([{ reason: 'ping', status_code: statusCode }]);
  });

  it('is repeated after an error inside the notifier', async () => {
    expect(
      await attempts.finish(await ping(0, { answer: null, error: 'resolver_unavailable', isOwnError: true }), 5_000),
    ).toBe('due');
    expect(await readDeliveries(database)).toMatchObject([{ reason: 'ping' }]);
  });
});
