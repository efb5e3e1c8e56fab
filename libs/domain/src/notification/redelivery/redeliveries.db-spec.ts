import { beforeEach, describe, expect, it } from '@jest/globals';
import { addDeliveries, addSubscription, type SubscriptionFixture } from '../../../test/notification-fixtures.js';
import { useTestDatabase } from '../../../test/test-database.js';
import { BY_NOTIFIER } from '../../../test/topic-fixtures.js';
import { ValidationError } from '../../vocabulary/validation-error.js';
import { continueRedeliveries, createRedelivery, type RedeliveryRange } from './redeliveries.js';
import { deleteSubscription, disableSubscription, enableSubscription } from '../subscriptions/subscriptions.js';

const own = useTestDatabase({ poolSize: 8 });
let subscription: SubscriptionFixture;

const HOUR_MS = 3_600_000;
const ago = (hours: number): Date => new Date(Date.now() - hours * HOUR_MS);
const since = (hours: number, more: Partial<RedeliveryRange> = {}): RedeliveryRange => ({
  sinceDt: ago(hours),
  untilDt: null,
  status: null,
  ...more,
});

beforeEach(async () => {
  await own.database.query(
    'TRUNCATE notification_subscriptions, notification_redeliveries, notification_deliveries CASCADE',
  );
  subscription = await addSubscription(own.database);
});

const create = (range: RedeliveryRange): Promise<number> =>
  own.database.transaction((transaction) => createRedelivery(transaction, subscription, range));
interface Redelivery {
  readonly status: string;
  readonly total: number;
  readonly redelivered: number;
  readonly skipped: number;
}
const read = async (id: number): Promise<Redelivery | undefined> =>
  (
    await own.database.query<Redelivery>(
      'SELECT status, total, redelivered, skipped FROM notification_redeliveries WHERE id = $1',
      [id],
    )
  )[0];
/** Reads the sequences of the deliveries that are due because of a redelivery. */
const due = async (): Promise<number[]> =>
  (
    await own.database.query<{ sequence: number }>(
      `SELECT sequence FROM notification_deliveries WHERE status = 'due' AND reason = 'recover' ORDER BY sequence`,
    )
  ).map(({ sequence }) => sequence);
/** Delivers all due deliveries, as a notifier does. */
const deliverAll = (): Promise<object[]> =>
  own.database.query(
    `UPDATE notification_deliveries SET status = 'delivered', reason = 'auto', next_attempt_dt = NULL WHERE status = 'due'`,
  );
const addMany = async (count: number, status = 'delivered'): Promise<object[]> =>
  own.database
    .query(
      `INSERT INTO notification_deliveries (occurred_dt, message_id, event_id, subscription_id, topic_id, topic_revision, sequence, body, status)
     SELECT clock_timestamp() - interval '1 minute', gen_random_uuid(), n, $1, $2, 1, n, '{}', $4 FROM generate_series(1, $3::integer) n;`,
      [subscription.id, subscription.topicId, count, status],
    )
    .then(() =>
      own.database.query('UPDATE notification_subscriptions SET last_sequence = $2 WHERE id = $1', [
        subscription.id,
        count,
      ]),
    );

describe('a redelivery of a range', () => {
  it('sends all deliveries in the range, with any status, and no others', async () => {
    const ofHours = [5, 4, 3, 2, 1].map((hours) => ({
      status: hours === 2 ? 'exhausted' : 'delivered',
      occurred_dt: ago(hours),
    }));
    await addDeliveries(own.database, subscription.id, [
      ...ofHours,
      { status: 'delivered', event_id: null, sequence: 0, occurred_dt: ago(3) },
    ]);
    await addDeliveries(own.database, (await addSubscription(own.database)).id, [
      { status: 'delivered', occurred_dt: ago(3) },
    ]);
    const id = await create({ sinceDt: ago(4.5), untilDt: ago(1.5), status: null });
    expect(await continueRedeliveries(own.database)).toEqual({ running: 1, redelivered: 3 });
    expect([await due(), await read(id)]).toEqual([
      [2, 3, 4],
      { status: 'done', total: 3, redelivered: 3, skipped: 0 },
    ]);
    expect(await continueRedeliveries(own.database)).toEqual({ running: 0, redelivered: 0 });
  });

  it('sends only deliveries with the given status', async () => {
    await addDeliveries(
      own.database,
      subscription.id,
      ['delivered', 'exhausted', 'delivered', 'exhausted'].map((status) => ({ status, occurred_dt: ago(1) })),
    );
    const id = await create(since(2, { status: 'exhausted' }));
    await continueRedeliveries(own.database);
    expect([await due(), await read(id)]).toEqual([[2, 4], { status: 'done', total: 2, redelivered: 2, skipped: 0 }]);
  });

  it('skips and counts deliveries that are being sent or are due', async () => {
    const lease = { lease_token: '00000000-0000-4000-8000-000000000000', lease_until_dt: new Date() };
    await addDeliveries(own.database, subscription.id, [
      { status: 'sending', ...lease },
      { status: 'queued', queued_dt: new Date() },
      { status: 'due' },
      { status: 'delivered' },
    ]);
    const id = await create(since(1));
    await continueRedeliveries(own.database);
    expect([await due(), await read(id)]).toEqual([[4], { status: 'done', total: 4, redelivered: 1, skipped: 3 }]);
  });

  it('continues in batches of 100 within the capacity and skips messages created after the request', async () => {
    await addMany(250);
    const id = await create(since(1));
    await addDeliveries(own.database, subscription.id, [{ status: 'delivered' }]);
    expect(await continueRedeliveries(own.database)).toEqual({ running: 1, redelivered: 100 });
    expect(await continueRedeliveries(own.database)).toEqual({ running: 1, redelivered: 0 });
    await own.database.query(
      `UPDATE notification_deliveries SET status = 'delivered', next_attempt_dt = NULL WHERE sequence <= 30`,
    );
    expect(await continueRedeliveries(own.database)).toEqual({ running: 1, redelivered: 30 });
    expect((await due()).at(-1)).toBe(130);
    await deliverAll();
    expect(await continueRedeliveries(own.database)).toEqual({ running: 1, redelivered: 100 });
    await deliverAll();
    expect(await continueRedeliveries(own.database)).toEqual({ running: 1, redelivered: 20 });
    expect(await read(id)).toEqual({ status: 'done', total: 250, redelivered: 250, skipped: 0 });
  });

  it('skips a long run of deliveries with another status', async () => {
    await addMany(2_500);
    await own.database.query(`UPDATE notification_deliveries SET status = 'exhausted' WHERE sequence = 2400`);
    const id = await create(since(1, { status: 'exhausted' }));
    for (let step = 0; step < 3; step++) await continueRedeliveries(own.database);
    expect([await due(), await read(id)]).toEqual([[2_400], { status: 'done', total: 1, redelivered: 1, skipped: 0 }]);
  });

  it('sends no delivery twice when several processes continue the redelivery', async () => {
    await addMany(300);
    const id = await create(since(1));
    const steps = await Promise.all(Array.from({ length: 6 }, () => continueRedeliveries(own.database)));
    expect([steps.reduce((sum, { redelivered }) => sum + redelivered, 0), (await due()).length]).toEqual([100, 100]);
    expect(await read(id)).toMatchObject({ redelivered: 100 });
  });

  it('continues at its cursor when a process dies in the middle of a batch', async () => {
    await addMany(150);
    const id = await create(since(1));
    await continueRedeliveries(own.database);
    await deliverAll();
    // The trigger blocks the UPDATE that moves the cursor. While it is blocked, the batch is written but not committed.
    // The test closes the blocked connection below.
    await own.database.query(
      `CREATE FUNCTION stand_still() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(60); RETURN NEW; END'`,
    );
    await own.database.query(
      `CREATE TRIGGER tr_stand_still BEFORE UPDATE ON notification_redeliveries
       FOR EACH ROW EXECUTE FUNCTION stand_still()`,
    );
    const dying = continueRedeliveries(own.database).then(
      () => 'finished',
      () => 'cut off',
    );
    const cut = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event = 'PgSleep'`;
    while ((await own.database.query(cut)).length === 0);
    expect(await dying).toBe('cut off');
    await own.database.query('DROP FUNCTION stand_still CASCADE');
    expect([await due(), await read(id)]).toEqual([
      [],
      { status: 'running', total: 150, redelivered: 100, skipped: 0 },
    ]);
    expect(await continueRedeliveries(own.database)).toEqual({ running: 1, redelivered: 50 });
    expect([await due(), await read(id)]).toEqual([
      Array.from({ length: 50 }, (_, index) => 101 + index),
      { status: 'done', total: 150, redelivered: 150, skipped: 0 },
    ]);
  });

  it('waits or is rejected while the subscription is disabled, and is deleted with the subscription', async () => {
    await addMany(150);
    const id = await create(since(1));
    await own.database.transaction((transaction) =>
      disableSubscription(transaction, subscription.id, 'requested', BY_NOTIFIER),
    );
    await expect(create(since(1))).rejects.toBeInstanceOf(ValidationError);
    expect(await continueRedeliveries(own.database)).toEqual({ running: 0, redelivered: 0 });
    await own.database.transaction((transaction) => enableSubscription(transaction, subscription.id));
    expect(await continueRedeliveries(own.database)).toEqual({ running: 1, redelivered: 100 });
    await own.database.transaction((transaction) => deleteSubscription(transaction, subscription));
    expect([await read(id), await continueRedeliveries(own.database)]).toEqual([
      undefined,
      { running: 0, redelivered: 0 },
    ]);
  });
});
