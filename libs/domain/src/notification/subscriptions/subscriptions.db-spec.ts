import { describe, expect, it } from '@jest/globals';
import { BY_NOTIFIER, subscriptionValues, useTopics } from '../../../test/topic-fixtures.js';
import {
  deleteSubscription,
  disableSubscription,
  enableSubscription,
  replaceSubscription,
  type SubscriptionValues,
} from './subscriptions.js';

const { own, write, addTopic, addSubscription, addDelivery, addOfEach, statuses } = useTopics();

const inSeconds = (seconds: number): Date => new Date(Date.now() + seconds * 1_000);

describe('a subscription', () => {
  const activeFrom = async (): Promise<Date | undefined> =>
    (await own.database.query<{ active_from_dt: Date }>('SELECT active_from_dt FROM notification_subscriptions'))[0]
      ?.active_from_dt;

  it('begins now by default, and never before its creation', async () => {
    const topic = await addTopic();
    const { subscription } = await addSubscription(topic.id);
    expect(subscription).toMatchObject({
      status: 'active',
      end_dt: null,
      disabled_reason: null,
      start_dt: subscription.created_dt,
    });
    expect(await activeFrom()).toEqual(subscription.created_dt);
    await own.database.query('DELETE FROM notification_subscriptions');
    const past = inSeconds(-3_600);
    const early = await addSubscription(topic.id, { start_dt: past });
    expect(early.subscription).toMatchObject({ start_dt: past, status: 'active' });
    expect(await activeFrom()).toEqual(early.subscription.created_dt);
  });

  it.each<[string, Partial<SubscriptionValues>, string]>([
    ['before its start', { start_dt: inSeconds(3_600) }, 'pending'],
    ['before its end', { end_dt: inSeconds(3_600) }, 'active'],
    ['after its end', { start_dt: inSeconds(-7_200), end_dt: inSeconds(-3_600) }, 'ended'],
  ])('has the status of its period %s', async (_, window, status) => {
    expect((await addSubscription((await addTopic()).id, window)).subscription.status).toBe(status);
  });

  it.each<[string, Date | null, Date | null, (before: Date, replaced: Date) => Date]>([
    ['goes on without a gap when it was active', null, inSeconds(-3_600), (before) => before],
    ['goes on without a gap when its start is left out', null, null, (before) => before],
    ['begins now when it was not active yet', inSeconds(3_600), inSeconds(-3_600), (_, replaced) => replaced],
    ['begins at a later start', null, inSeconds(3_600), () => new Date(0)],
  ])('follows the rules of its period when it is replaced %s', async (title, oldStart, newStart, expected) => {
    const topic = await addTopic();
    const { subscription } = await addSubscription(topic.id, { start_dt: oldStart });
    const before = (await activeFrom()) ?? new Date(0);
    await write((transaction) =>
      replaceSubscription(
        transaction,
        { topicId: topic.id, id: subscription.id },
        subscriptionValues({ start_dt: newStart }),
      ),
    );
    const after = (await activeFrom()) ?? new Date(0);
    if (title === 'begins at a later start') expect(after).toEqual(newStart);
    else
      expect(Math.abs(after.getTime() - expected(before, new Date()).getTime())).toBeLessThan(
        title.startsWith('goes') ? 1 : 60_000,
      );
  });

  it('does not change when it is replaced with equal values', async () => {
    const topic = await addTopic();
    const { subscription } = await addSubscription(topic.id, { start_dt: inSeconds(60) });
    const version = await own.database.query('SELECT version FROM notification_index_version');
    const key = { topicId: topic.id, id: subscription.id };
    const { start_dt, end_dt, destination_url } = subscription;
    expect(
      await write((transaction) => replaceSubscription(transaction, key, { start_dt, end_dt, destination_url })),
    ).toEqual(subscription);
    expect(await own.database.query('SELECT version FROM notification_index_version')).toEqual(version);
    expect(
      await write((transaction) =>
        replaceSubscription(transaction, key, { start_dt, end_dt: inSeconds(120), destination_url }),
      ),
    ).not.toEqual(subscription);
  });

  it('is found only below its own topic', async () => {
    const [own, other] = [await addTopic(), await addTopic()];
    const { subscription } = await addSubscription(own.id);
    const at = { topicId: other.id, id: subscription.id };
    expect(await write((transaction) => replaceSubscription(transaction, at, subscriptionValues()))).toBeNull();
    expect(await write((transaction) => deleteSubscription(transaction, at))).toBe(false);
  });

  it('holds pending deliveries while it is disabled, then releases them with a full retry schedule', async () => {
    const { subscription } = await addSubscription((await addTopic()).id);
    await addOfEach(subscription.id);
    await write((transaction) => disableSubscription(transaction, subscription.id, 'requested', BY_NOTIFIER));
    expect(await statuses()).toEqual(['held', 'held', 'sending', 'delivered', 'held', 'exhausted', 'cancelled']);
    await write((transaction) => disableSubscription(transaction, subscription.id, 'gone', BY_NOTIFIER));
    expect(await own.database.query('SELECT disabled_reason FROM notification_subscriptions')).toEqual([
      { disabled_reason: 'requested' },
    ]);
    await write((transaction) => enableSubscription(transaction, subscription.id));
    expect(
      await own.database.query(
        `SELECT count(*) AS n FROM notification_deliveries WHERE status = 'due' AND failures = 0`,
      ),
    ).toEqual([{ n: 3 }]);
    expect(await own.database.query('SELECT disabled_dt, disabled_reason FROM notification_subscriptions')).toEqual([
      { disabled_dt: null, disabled_reason: null },
    ]);
  });

  it('cancels pending deliveries when it is deleted', async () => {
    const topic = await addTopic();
    const { subscription } = await addSubscription(topic.id);
    const other = await addSubscription(topic.id);
    await addOfEach(subscription.id);
    await addDelivery(other.subscription.id, 'due');
    await write((transaction) => deleteSubscription(transaction, { topicId: topic.id, id: subscription.id }));
    expect(await statuses()).toEqual([
      'cancelled',
      'cancelled',
      'sending',
      'delivered',
      'cancelled',
      'exhausted',
      'cancelled',
      'due',
    ]);
  });
});
