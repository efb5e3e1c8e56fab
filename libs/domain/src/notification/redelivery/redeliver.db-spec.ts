import { beforeAll, describe, expect, it } from '@jest/globals';
import { useTestDatabase } from '../../../test/test-database.js';
import { BY_NOTIFIER } from '../../../test/topic-fixtures.js';
import { NotFoundError, ValidationError } from '../../vocabulary/validation-error.js';
import { addDeliveries, addSubscription, type SubscriptionFixture } from '../../../test/notification-fixtures.js';
import { movePending } from '../deliveries/pending-deliveries.js';
import { redeliver } from './redeliver.js';
import { disableSubscription } from '../subscriptions/subscriptions.js';

const own = useTestDatabase();
let subscription: SubscriptionFixture;

beforeAll(async () => {
  subscription = await addSubscription(own.database);
});

interface Row {
  readonly status: string;
  readonly reason: string;
  readonly failures: number;
  readonly isNow: boolean | null;
  readonly finished_dt: Date | null;
  readonly same: object;
}

/** Reads the columns of a delivery. `same` contains all columns that a redelivery must not change. */
const read = async (id: number): Promise<Row | undefined> =>
  (
    await own.database.query<Row>(
      `SELECT status, reason, failures, next_attempt_dt <= clock_timestamp() AS "isNow", finished_dt,
         to_jsonb(d) - ARRAY['status', 'reason', 'failures', 'next_attempt_dt', 'queued_dt', 'finished_dt', 'updated_dt'] AS same
       FROM notification_deliveries d WHERE id = $1`,
      [id],
    )
  )[0];
const ask = (id: number, key = subscription): Promise<void> =>
  own.database.transaction((transaction) => redeliver(transaction, key, id));
const add = async (columns: Readonly<Record<string, unknown>>): Promise<number> =>
  (await addDeliveries(own.database, subscription.id, [columns]))[0] ?? 0;
const codeOf = (id: number, key = subscription): Promise<unknown> =>
  ask(id, key).catch((error: unknown) => (error instanceof ValidationError ? error.violations[0]?.code : error));

describe('a delivery that is sent again', () => {
  it.each(['delivered', 'exhausted', 'cancelled'])(
    'is due immediately with a new retry schedule after it was %s',
    async (status) => {
      const id = await add({ status, failures: 11, attempts: 12, finished_dt: new Date() });
      const before = await read(id);
      await ask(id);
      expect(await read(id)).toEqual({
        status: 'due',
        reason: 'manual',
        failures: 0,
        isNow: true,
        finished_dt: null,
        same: before?.same,
      });
    },
  );

  it('is due immediately, and keeps its position in the retry schedule when it waits for a retry', async () => {
    const id = await add({ status: 'due', failures: 3, next_attempt_dt: new Date(Date.now() + 3_600_000) });
    await ask(id);
    expect(await read(id)).toMatchObject({ status: 'due', reason: 'manual', failures: 3, isNow: true });
  });

  it.each([
    [
      'sending',
      { lease_token: '00000000-0000-4000-8000-000000000000', lease_until_dt: new Date(), next_attempt_dt: null },
    ],
    ['queued', { queued_dt: new Date(), next_attempt_dt: new Date(0) }],
    ['due', { next_attempt_dt: new Date(0) }],
  ])('does not change while it is being sent or about to be: %s', async (status, columns) => {
    const id = await add({ status, failures: 1, ...columns });
    const row = await own.database.query('SELECT * FROM notification_deliveries WHERE id = $1', [id]);
    await ask(id);
    expect(await own.database.query('SELECT * FROM notification_deliveries WHERE id = $1', [id])).toEqual(row);
  });

  it('is rejected while the subscription is disabled, and when it is a test message', async () => {
    const disabled = await addSubscription(own.database);
    const [held = 0, delivered = 0, ping = 0] = await addDeliveries(own.database, disabled.id, [
      { status: 'held' },
      { status: 'delivered' },
      { status: 'delivered', event_id: null, sequence: 0 },
    ]);
    await own.database.transaction((transaction) =>
      disableSubscription(transaction, disabled.id, 'requested', BY_NOTIFIER),
    );
    expect([await codeOf(held, disabled), await codeOf(delivered, disabled), await codeOf(ping, disabled)]).toEqual([
      'subscription_disabled',
      'subscription_disabled',
      'is_ping',
    ]);
  });

  it('is found only below its own subscription and topic', async () => {
    const id = await add({ status: 'delivered' });
    const other = await addSubscription(own.database);
    expect(await codeOf(id, other)).toBeInstanceOf(NotFoundError);
    expect(await codeOf(id, { ...subscription, topicId: other.topicId })).toBeInstanceOf(NotFoundError);
    expect(await codeOf(999_999_999)).toBeInstanceOf(NotFoundError);
  });
});

describe('updated_dt of a delivery', () => {
  const updated = async (id: number): Promise<number> =>
    (
      await own.database.query<{ at: Date }>('SELECT updated_dt AS at FROM notification_deliveries WHERE id = $1', [id])
    )[0]?.at.getTime() ?? 0;

  it('changes with every change that clients can see, but not when the delivery is queued', async () => {
    const id = await add({ status: 'due', updated_dt: new Date(0), next_attempt_dt: new Date(0) });
    await own.database.query(`UPDATE notification_deliveries SET status = 'queued', queued_dt = now() WHERE id = $1`, [
      id,
    ]);
    expect(await updated(id)).toBe(0);
    const since = Date.now() - 1;
    await own.database.transaction((transaction) => movePending(transaction, [subscription.id], 'deleted'));
    expect(await updated(id)).toBeGreaterThanOrEqual(since);
  });
});
