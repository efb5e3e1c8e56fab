import { afterEach } from '@jest/globals';
import { type Transaction } from '@ats/postgres';
import { SecretBox } from '../src/writing/secret-box.js';
import { type OperatorEventCause } from '../src/notification/subscriptions/operator-events.js';
import {
  createSubscription,
  type Subscription,
  type SubscriptionValues,
} from '../src/notification/subscriptions/subscriptions.js';
import { checkTopicExpression } from '../src/notification/topics/topic-expression.js';
import { createTopic, type Topic, type TopicValues } from '../src/notification/topics/topics.js';
import { type UsedDatabase, useTestDatabase } from './test-database.js';

/** Makes the values of a topic with an expression. The topic is about state changes of applications by default. */
export const topicValues = (
  expression: string | null,
  type: TopicValues['type'] = 'STATE_CHANGE_APPLICATION',
): TopicValues => ({
  type,
  name: 'a topic',
  description: null,
  expression,
  datapaths: checkTopicExpression(type, expression).datapaths,
});

export const subscriptionValues = (more: Partial<SubscriptionValues> = {}): SubscriptionValues => ({
  start_dt: null,
  end_dt: null,
  destination_url: 'https://receiver.example.com/hook',
  ...more,
});

/** The cause of events that the notifier raises. */
export const BY_NOTIFIER: OperatorEventCause = {
  recruiterId: null,
  settings: { baseUrl: 'https://ats.example.com', language: 'en' },
};

const STATUSES = ['due', 'queued', 'sending', 'delivered', 'held', 'exhausted', 'cancelled'];

export interface TopicFixtures {
  readonly own: UsedDatabase;
  readonly secretBox: SecretBox;
  /** Runs `work` in a transaction. */
  readonly write: <T>(work: (transaction: Transaction) => Promise<T>) => Promise<T>;
  readonly addTopic: (expression?: string | null, type?: TopicValues['type']) => Promise<Topic>;
  readonly addSubscription: (
    topicId: number,
    more?: Partial<SubscriptionValues>,
  ) => Promise<{ readonly subscription: Subscription; readonly signingKey: string }>;
  readonly addDelivery: (subscriptionId: number, status: string) => Promise<object[]>;
  /** Adds one delivery with each status: due, queued, sending, delivered, held, exhausted, cancelled. */
  readonly addOfEach: (subscriptionId: number) => Promise<void>;
  /** The statuses of all deliveries, in the order in which they were added. */
  readonly statuses: () => Promise<string[]>;
}

/** Gives a spec file a database for topics, subscriptions and deliveries. Their rows are deleted after each test. */
export function useTopics(): TopicFixtures {
  const own = useTestDatabase({ poolSize: 5 });
  const secretBox = new SecretBox('a secret key of more than 32 characters', 'test');
  afterEach(() =>
    own.database.query(`TRUNCATE notification_topics, notification_subscriptions, notification_deliveries,
      notification_datapaths, notification_past_datapaths, notification_topic_revisions,
      notification_subscription_revisions CASCADE`),
  );
  const write = <T>(work: (transaction: Transaction) => Promise<T>): Promise<T> => own.database.transaction(work);
  const addDelivery = (subscriptionId: number, status: string): Promise<object[]> =>
    own.database.query(
      `INSERT INTO notification_deliveries (occurred_dt, message_id, event_id, subscription_id, topic_id,
         topic_revision, sequence, body, status, next_attempt_dt, queued_dt, lease_token, lease_until_dt, failures)
       VALUES (now(), gen_random_uuid(), (random() * 1e15)::bigint, $1, 1, 1, 1, '{}', $2, now(), now(),
         gen_random_uuid(), now(), 3)`,
      [subscriptionId, status],
    );
  return {
    own,
    secretBox,
    write,
    addTopic: (expression = null, type) =>
      write((transaction) => createTopic(transaction, topicValues(expression, type))),
    async addSubscription(topicId, more = {}) {
      const created = await write((transaction) =>
        createSubscription(transaction, topicId, subscriptionValues(more), secretBox),
      );
      if (!created) throw new Error('the topic of this test does not exist');
      return created;
    },
    addDelivery,
    async addOfEach(subscriptionId) {
      for (const status of STATUSES) await addDelivery(subscriptionId, status);
    },
    statuses: () =>
      own.database
        .query<{ status: string }>('SELECT status FROM notification_deliveries ORDER BY id')
        .then((rows) => rows.map(({ status }) => status)),
  };
}
