import { describe, expect, it } from '@jest/globals';
import { subscriptionValues, topicValues, useTopics } from '../../../test/topic-fixtures.js';
import { createSubscription, deleteSubscription, replaceSubscription } from '../subscriptions/subscriptions.js';
import { deleteTopic, replaceTopic } from './topics.js';

const { own, secretBox, write, addTopic, addSubscription, addOfEach, statuses } = useTopics();

const wanted = (): Promise<string[]> =>
  own.database
    .query<{ path: string }>(`SELECT event_type || ' ' || datapath AS path FROM notification_datapaths ORDER BY 1`)
    .then((rows) => rows.map(({ path }) => path));

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
    expect(
      await write((transaction) => createSubscription(transaction, 1, subscriptionValues(), secretBox)),
    ).toBeNull();
  });

  it('records each write of the topic and its subscriptions in the order of the commits', async () => {
    const [before] = await own.database.query<{ version: number }>('SELECT version FROM notification_index_version');
    const topic = await addTopic();
    const { subscription } = await addSubscription(topic.id);
    const at = { topicId: topic.id, id: subscription.id };
    await write((transaction) => replaceSubscription(transaction, at, subscriptionValues()));
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
