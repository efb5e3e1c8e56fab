import { afterEach, describe, expect, it } from '@jest/globals';
import { useTestDatabase } from '../../../test/test-database.js';
import { BY_NOTIFIER } from '../../../test/topic-fixtures.js';
import { type Transaction } from '@ats/postgres';
import { migrations } from '../../migrations/index.js';
import { deleteOldRevisions } from './delete-old-revisions.js';
import { SecretBox } from '../../writing/secret-box.js';
import {
  createSubscription,
  deleteSubscription,
  disableSubscription,
  enableSubscription,
  replaceSubscription,
} from '../subscriptions/subscriptions.js';
import { createTopic, deleteTopic, replaceTopic, type TopicValues } from '../topics/topics.js';

const own = useTestDatabase({ poolSize: 5 });
const secretBox = new SecretBox('a secret key of more than 32 characters', 'test');

afterEach(() =>
  own.database.query(
    'TRUNCATE notification_topics, notification_topic_revisions, notification_subscription_revisions CASCADE',
  ),
);

const write = <T>(work: (transaction: Transaction) => Promise<T>): Promise<T> => own.database.transaction(work);
const topicValues: TopicValues = {
  type: 'POSTING_CREATE',
  name: 'a topic',
  description: null,
  expression: null,
  datapaths: [],
};
const values = { start_dt: null, end_dt: null, destination_url: 'https://receiver.example.com/' };
const START = new Date('2090-01-01T00:00:00Z');
const END = new Date('2091-01-01T00:00:00Z');

async function subscribe(): Promise<{ readonly topicId: number; readonly id: number }> {
  const topic = await write((transaction) => createTopic(transaction, topicValues));
  const created = await write((transaction) => createSubscription(transaction, topic.id, values, secretBox));
  if (!created) throw new Error('the topic does not exist');
  return { topicId: topic.id, id: created.subscription.id };
}

const currentVersion = async (): Promise<number> =>
  (await own.database.query<{ version: number }>('SELECT version FROM notification_index_version'))[0]?.version ?? 0;
const revisions = (): Promise<object[]> =>
  own.database.query(
    'SELECT version, active_from_dt, end_dt, disabled_reason, is_deleted FROM notification_subscription_revisions ORDER BY id',
  );
const topicVersions = (): Promise<object[]> =>
  own.database.query('SELECT revision, version FROM notification_topic_revisions ORDER BY topic_id, revision');
const age = (days: number): Promise<object[]> =>
  own.database.query(
    `WITH t AS (UPDATE notification_topic_revisions SET valid_from_dt = valid_from_dt - make_interval(days => $1))
     UPDATE notification_subscription_revisions SET valid_from_dt = valid_from_dt - make_interval(days => $1)`,
    [days],
  );

describe('the history of topics and subscriptions', () => {
  it('records every change of the period of a subscription, with its version of the topic index', async () => {
    const key = await subscribe();
    const version = await currentVersion();
    await write((transaction) => replaceSubscription(transaction, key, { ...values, start_dt: START, end_dt: END }));
    await write((transaction) => deleteSubscription(transaction, key));
    const window = { active_from_dt: START, end_dt: END, disabled_reason: null };
    expect(await revisions()).toEqual([
      { version, active_from_dt: expect.any(Date), end_dt: null, disabled_reason: null, is_deleted: false },
      { version: version + 1, ...window, is_deleted: false },
      { version: version + 2, ...window, is_deleted: true },
    ]);
    expect(await currentVersion()).toBe(version + 2);
  });

  it('records when a subscription is disabled and enabled, but not its delivery counters', async () => {
    const { id } = await subscribe();
    await write((transaction) => disableSubscription(transaction, id, 'gone', BY_NOTIFIER));
    await own.database.query(
      'UPDATE notification_subscriptions SET last_sequence = 7, consecutive_failures = 2, destination_url = $1',
      ['https://other.example.com/'],
    );
    await write((transaction) => enableSubscription(transaction, id));
    expect((await revisions()).map((row) => (row as { disabled_reason: unknown }).disabled_reason)).toEqual([
      null,
      'gone',
      null,
    ]);
  });

  it('is kept when the topic is deleted, and records the subscriptions of the topic as deleted', async () => {
    const { topicId } = await subscribe();
    const version = await currentVersion();
    await write((transaction) => replaceTopic(transaction, topicId, { ...topicValues, type: 'POSTING_DELETE' }));
    await write((transaction) => deleteTopic(transaction, topicId));
    expect(await topicVersions()).toEqual([
      { revision: 1, version: version - 1 },
      { revision: 2, version: version + 1 },
    ]);
    expect((await revisions()).at(-1)).toMatchObject({ version: version + 2, is_deleted: true });
  });

  it('is deleted when it is old and no longer in force', async () => {
    const [kept, gone] = [await subscribe(), await subscribe()];
    await write((transaction) => replaceTopic(transaction, kept.topicId, { ...topicValues, type: 'POSTING_DELETE' }));
    await write((transaction) => replaceSubscription(transaction, kept, { ...values, start_dt: START }));
    await write((transaction) => deleteTopic(transaction, gone.topicId));
    expect(await deleteOldRevisions(own.database, 10)).toBe(0);
    await age(11);
    // The revision that is in force is kept, no matter how old it is.
    expect(await deleteOldRevisions(own.database, 10)).toBe(5);
    expect(await own.database.query('SELECT topic_id, revision FROM notification_topic_revisions')).toEqual([
      { topic_id: kept.topicId, revision: 2 },
    ]);
    expect(await revisions()).toMatchObject([{ active_from_dt: START, is_deleted: false }]);
  });

  it('begins with the topics and subscriptions that exist when its migration runs', async () => {
    const { id } = await subscribe();
    const step = migrations.findIndex(({ name }) => name === 'KeepNotificationHistory1795220420000');
    for (let undone = migrations.length; undone > step; undone--) await own.database.dataSource.undoLastMigration();
    await own.database.dataSource.runMigrations();
    expect(
      await own.database.query('SELECT subscription_id, version, is_deleted FROM notification_subscription_revisions'),
    ).toEqual([{ subscription_id: id, version: 0, is_deleted: false }]);
    expect(await topicVersions()).toEqual([{ revision: 1, version: 0 }]);
  });
});
