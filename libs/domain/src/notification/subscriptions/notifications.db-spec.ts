import { afterEach, describe, expect, it } from '@jest/globals';
import { useTestDatabase } from '../../../test/test-database.js';
import { type Transaction } from '@ats/postgres';
import { lockSubscriptionRow } from '../redelivery/redeliver.js';
import { SecretBox } from '../../writing/secret-box.js';
import { readSigningKeys, rotateSigningKey, type SigningKeys } from './signing-keys.js';
import {
  createSubscription,
  deleteSubscription,
  disableSubscription,
  enableSubscription,
  replaceSubscription,
  type Subscription,
  type SubscriptionValues,
} from './subscriptions.js';
import { checkTopicExpression } from '../topics/topic-expression.js';
import { createTopic, deleteTopic, replaceTopic, type Topic, type TopicValues } from '../topics/topics.js';

const own = useTestDatabase({ poolSize: 5 });
const secretBox = new SecretBox('a secret key of more than 32 characters', 'test');

afterEach(() =>
  own.database.query(`TRUNCATE notification_topics, notification_subscriptions, notification_deliveries,
    notification_datapaths, notification_topic_revisions, notification_subscription_revisions CASCADE`),
);
const write = <T>(work: (transaction: Transaction) => Promise<T>): Promise<T> => own.database.transaction(work);
const topicValues = (
  expression: string | null,
  type: TopicValues['type'] = 'STATE_CHANGE_APPLICATION',
): TopicValues => ({
  type,
  name: 'a topic',
  description: null,
  expression,
  datapaths: checkTopicExpression(type, expression).datapaths,
});
const addTopic = (expression: string | null = null, type?: TopicValues['type']): Promise<Topic> =>
  write((transaction) => createTopic(transaction, topicValues(expression, type)));
const values = (more: Partial<SubscriptionValues> = {}): SubscriptionValues => ({
  start_dt: null,
  end_dt: null,
  destination_url: 'https://receiver.example.com/hook',
  ...more,
});
async function addSubscription(
  topicId: number,
  more: Partial<SubscriptionValues> = {},
): Promise<{ subscription: Subscription; signingKey: string }> {
  const created = await write((transaction) => createSubscription(transaction, topicId, values(more), secretBox));
  if (!created) throw new Error('there is no such topic');
  return created;
}
const wanted = (): Promise<string[]> =>
  own.database
    .query<{ path: string }>(`SELECT event_type || ' ' || datapath AS path FROM notification_datapaths ORDER BY 1`)
    .then((rows) => rows.map(({ path }) => path));
const inSeconds = (seconds: number): Date => new Date(Date.now() + seconds * 1_000);
const keysOf = (id: number): Promise<SigningKeys> =>
  write((transaction) => readSigningKeys(transaction, id, secretBox));
const addDelivery = (subscriptionId: number, status: string): Promise<object[]> =>
  own.database.query(
    `INSERT INTO notification_deliveries (occurred_dt, message_id, event_id, subscription_id, topic_id, topic_revision, sequence, body, status,
       next_attempt_dt, queued_dt, lease_token, lease_until_dt, failures)
     VALUES (now(), gen_random_uuid(), (random() * 1e15)::bigint, $1, 1, 1, 1, '{}', $2, now(), now(), gen_random_uuid(), now(), 3)`,
    [subscriptionId, status],
  );
const statuses = (): Promise<string[]> =>
  own.database
    .query<{ status: string }>('SELECT status FROM notification_deliveries ORDER BY id')
    .then((rows) => rows.map(({ status }) => status));
const ALL = ['due', 'queued', 'sending', 'delivered', 'held', 'exhausted', 'cancelled'];
const addOfEach = async (subscriptionId: number): Promise<void> => {
  for (const status of ALL) await addDelivery(subscriptionId, status);
};

describe('a topic', () => {
  it('adds its datapaths to the snapshots of its event type until no topic uses them', async () => {
    const first = await addTopic('application.user.firstname == "Ann" AND application.opportunity_id == 7');
    const second = await addTopic('application.user.firstname == "Ben"');
    await addTopic('posting.closing_date <= DATE("today")', 'POSTING_UPDATE');
    const ofPosting = 'POSTING_UPDATE posting.closing_date';
    expect(await wanted()).toEqual([
      ofPosting,
      'STATE_CHANGE_APPLICATION application.opportunity_id',
      'STATE_CHANGE_APPLICATION application.user.firstname',
    ]);
    await write((transaction) =>
      replaceTopic(transaction, first.id, topicValues('application.user.lastname == "Lee"')),
    );
    expect(await wanted()).toEqual([
      ofPosting,
      'STATE_CHANGE_APPLICATION application.user.firstname',
      'STATE_CHANGE_APPLICATION application.user.lastname',
    ]);
    await write((transaction) => deleteTopic(transaction, second.id));
    expect(await wanted()).toEqual([ofPosting, 'STATE_CHANGE_APPLICATION application.user.lastname']);
  });

  it('keeps a revision for every type and expression that it had', async () => {
    const { id } = await addTopic('application.opportunity_id == 1');
    const renamed = await write((transaction) =>
      replaceTopic(transaction, id, { ...topicValues('application.opportunity_id == 1'), name: 'renamed' }),
    );
    expect(renamed).toMatchObject({ revision: 1, name: 'renamed' });
    expect(
      await write((transaction) => replaceTopic(transaction, id, topicValues('application.opportunity_id == 2'))),
    ).toMatchObject({ revision: 2 });
    expect(
      await own.database.query('SELECT revision, expression FROM notification_topic_revisions ORDER BY revision'),
    ).toEqual([
      { revision: 1, expression: 'application.opportunity_id == 1' },
      { revision: 2, expression: 'application.opportunity_id == 2' },
    ]);
  });

  it('does not change when it is replaced with equal values', async () => {
    const topic = await addTopic('application.opportunity_id == 1');
    const version = await own.database.query('SELECT version FROM notification_index_version');
    expect(
      await write((transaction) => replaceTopic(transaction, topic.id, topicValues('application.opportunity_id == 1'))),
    ).toEqual(topic);
    expect(await own.database.query('SELECT version FROM notification_index_version')).toEqual(version);
    const renamed = await write((transaction) =>
      replaceTopic(transaction, topic.id, { ...topicValues('application.opportunity_id == 1'), name: 'renamed' }),
    );
    expect(renamed?.updated_dt.getTime()).toBeGreaterThanOrEqual(topic.updated_dt.getTime());
    expect(await own.database.query('SELECT version FROM notification_index_version')).not.toEqual(version);
  });

  it('deletes its subscriptions and cancels their pending deliveries when it is deleted', async () => {
    const topic = await addTopic();
    const { subscription } = await addSubscription(topic.id);
    await addOfEach(subscription.id);
    expect(await write((transaction) => deleteTopic(transaction, topic.id))).toBe(true);
    expect(await own.database.query('SELECT id FROM notification_subscriptions')).toEqual([]);
    expect(await own.database.query('SELECT id FROM notification_subscription_keys')).toEqual([]);
    expect(await statuses()).toEqual([
      'cancelled',
      'cancelled',
      'sending',
      'delivered',
      'cancelled',
      'exhausted',
      'cancelled',
    ]);
  });

  it('cannot be replaced or deleted when it does not exist', async () => {
    expect(await write((transaction) => replaceTopic(transaction, 1, topicValues(null)))).toBeNull();
    expect(await write((transaction) => deleteTopic(transaction, 1))).toBe(false);
    expect(await write((transaction) => createSubscription(transaction, 1, values(), secretBox))).toBeNull();
  });

  it('records each write of the topic and its subscriptions in the order of the commits', async () => {
    const [before] = await own.database.query<{ version: number }>('SELECT version FROM notification_index_version');
    const topic = await addTopic();
    const { subscription } = await addSubscription(topic.id);
    const at = { topicId: topic.id, id: subscription.id };
    await write((transaction) => replaceSubscription(transaction, at, values()));
    await write((transaction) => deleteSubscription(transaction, at));
    await write((transaction) => replaceTopic(transaction, topic.id, { ...topicValues(null), name: 'renamed' }));
    await write((transaction) => deleteTopic(transaction, topic.id));
    const changes = await own.database.query(
      'SELECT version, topic_id FROM notification_index_changes WHERE version > $1 ORDER BY version',
      [before?.version],
    );
    expect(changes).toEqual(
      [1, 2, 3, 4, 5, 6].map((step) => ({ version: (before?.version ?? 0) + step, topic_id: topic.id })),
    );
  });
});

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
  ])('that is replaced %s', async (title, oldStart, newStart, expected) => {
    const topic = await addTopic();
    const { subscription } = await addSubscription(topic.id, { start_dt: oldStart });
    const before = (await activeFrom()) ?? new Date(0);
    await write((transaction) =>
      replaceSubscription(transaction, { topicId: topic.id, id: subscription.id }, values({ start_dt: newStart })),
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
    expect(await write((transaction) => replaceSubscription(transaction, at, values()))).toBeNull();
    expect(await write((transaction) => deleteSubscription(transaction, at))).toBe(false);
  });

  it('holds pending deliveries while it is disabled, then releases them with a full retry schedule', async () => {
    const { subscription } = await addSubscription((await addTopic()).id);
    await addOfEach(subscription.id);
    await write((transaction) => disableSubscription(transaction, subscription.id, 'requested'));
    expect(await statuses()).toEqual(['held', 'held', 'sending', 'delivered', 'held', 'exhausted', 'cancelled']);
    await write((transaction) => disableSubscription(transaction, subscription.id, 'gone'));
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

describe('a signing key', () => {
  it('has 64 hexadecimal characters, can be read again, and is stored encrypted', async () => {
    const { subscription, signingKey } = await addSubscription((await addTopic()).id);
    expect(signingKey).toMatch(/^[0-9a-f]{64}$/);
    expect(await keysOf(subscription.id)).toEqual({ current: signingKey, next: null });
    const [stored] = await own.database.query<{ sealed_key: Buffer }>(
      'SELECT sealed_key FROM notification_subscription_keys',
    );
    expect(stored?.sealed_key.includes(signingKey)).toBe(false);
    expect(stored?.sealed_key.includes(Buffer.from(signingKey, 'hex'))).toBe(false);
  });

  it('stays in use beside its successor until the overlap ends', async () => {
    const { subscription, signingKey } = await addSubscription((await addTopic()).id);
    await write((transaction) => rotateSigningKey(transaction, subscription.id, { overlapSeconds: 60, secretBox }));
    const keys = await keysOf(subscription.id);
    expect(keys.current).toBe(signingKey);
    expect(keys.next?.key).toMatch(/^[0-9a-f]{64}$/);
    expect(keys.next?.key).not.toBe(signingKey);
    await own.database.query(
      `UPDATE notification_subscription_keys
       SET active_from_dt = active_from_dt - interval '60 s', expires_dt = expires_dt - interval '60 s'`,
    );
    expect(await keysOf(subscription.id)).toEqual({ current: keys.next?.key, next: null });
  });

  it('is replaced immediately without an overlap', async () => {
    const { subscription, signingKey } = await addSubscription((await addTopic()).id);
    await write((transaction) => rotateSigningKey(transaction, subscription.id, { overlapSeconds: 0, secretBox }));
    const keys = await keysOf(subscription.id);
    expect(keys.current).not.toBe(signingKey);
    expect(keys.next).toBeNull();
  });

  it('is not put back in use by a rotation that waited for the rotation that replaced the key', async () => {
    const { subscription } = await addSubscription((await addTopic()).id);
    const key = { topicId: subscription.topic_id, id: subscription.id };
    const rotate = async (transaction: Transaction, overlapSeconds: number): Promise<void> => {
      await lockSubscriptionRow(transaction, key);
      await rotateSigningKey(transaction, subscription.id, { overlapSeconds, secretBox });
    };
    const old = (await keysOf(subscription.id)).current;
    await write(async (second) => {
      // The second transaction starts first and then waits for the other one.
      await second.query('SELECT now()');
      await write((first) => rotate(first, 0));
      await rotate(second, 86_400);
    });
    const { current, next } = await keysOf(subscription.id);
    expect([current, next?.key]).not.toContain(old);
  });

  it('stays in use when a second rotation begins before the overlap of the first has ended', async () => {
    const { subscription, signingKey } = await addSubscription((await addTopic()).id);
    await write((transaction) => rotateSigningKey(transaction, subscription.id, { overlapSeconds: 60, secretBox }));
    const first = await keysOf(subscription.id);
    await write((transaction) => rotateSigningKey(transaction, subscription.id, { overlapSeconds: 120, secretBox }));
    const second = await keysOf(subscription.id);
    expect(second.current).toBe(signingKey);
    expect(second.next?.key).not.toBe(first.next?.key);
    expect(await own.database.query('SELECT count(*) AS n FROM notification_subscription_keys')).toEqual([{ n: 2 }]);
  });
});
