import { type Database } from '@ats/postgres';

export interface SubscriptionFixture {
  readonly topicId: number;
  readonly id: number;
}

/** Adds a topic with one subscription, without signing keys. */
export async function addSubscription(database: Database): Promise<SubscriptionFixture> {
  const [row] = await database.query<SubscriptionFixture>(
    `WITH topic AS (INSERT INTO notification_topics (type, name) VALUES ('POSTING_CREATE', 'a topic') RETURNING id)
     INSERT INTO notification_subscriptions (topic_id, start_dt, active_from_dt, destination_url, destination_origin)
     SELECT id, now(), now(), 'https://receiver.example.com/', 'https://receiver.example.com' FROM topic
     RETURNING topic_id AS "topicId", id`,
  );
  if (!row) throw new Error('the INSERT of a test row returned no row');
  return row;
}

/**
 * Adds deliveries of a subscription with the next sequences and the given columns.
 * @returns the ids of the deliveries
 */
export async function addDeliveries(
  database: Database,
  subscriptionId: number,
  columns: readonly Readonly<Record<string, unknown>>[],
): Promise<readonly number[]> {
  const ids: number[] = [];
  for (const given of columns) {
    const values = Object.entries({
      occurred_dt: new Date(),
      body: '{}',
      next_attempt_dt: given['status'] === 'due' ? new Date() : null,
      ...given,
    });
    const own = values.filter(([name]) => !['event_id', 'sequence'].includes(name));
    const value = (name: string, otherwise: string): string =>
      name in given ? `${given[name] === null ? 'NULL' : Number(given[name])}` : otherwise;
    const [row] = await database.query<{ id: number }>(
      `WITH s AS (UPDATE notification_subscriptions SET last_sequence = last_sequence + 1 WHERE id = $1 RETURNING *)
       INSERT INTO notification_deliveries
         (event_id, subscription_id, topic_id, topic_revision, subject_type, subject_id, message_id, sequence,
          ${own.map(([name]) => name).join(', ')})
       SELECT ${value('event_id', 'last_sequence')}, id, topic_id, 1, 'posting', 7, gen_random_uuid(),
         ${value('sequence', 'last_sequence')},
         ${own.map((_, index) => `$${index + 2}`).join(', ')} FROM s RETURNING id`,
      [subscriptionId, ...own.map(([, one]) => one)],
    );
    if (row) ids.push(row.id);
  }
  return ids;
}
