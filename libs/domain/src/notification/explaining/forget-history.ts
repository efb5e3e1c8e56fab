import { type Database } from '@ats/postgres';

/** What was no longer in force at the given moment, `$1`; the history of what is deleted ends with it. */
const SUBSCRIPTIONS = `
DELETE FROM notification_subscription_revisions WHERE id IN (
  SELECT id FROM (
    SELECT id, valid_from_dt, is_deleted, lead(valid_from_dt) OVER (PARTITION BY topic_id, subscription_id ORDER BY id) AS until
    FROM notification_subscription_revisions) r
  WHERE until < $1::timestamptz OR (is_deleted AND valid_from_dt < $1::timestamptz))
RETURNING id`;

/** A deleted topic is known for as long as one of its subscriptions is. */
const TOPICS = `
DELETE FROM notification_topic_revisions WHERE (topic_id, revision) IN (
  SELECT topic_id, revision FROM (
    SELECT topic_id, revision, lead(valid_from_dt) OVER (PARTITION BY topic_id ORDER BY revision) AS until
    FROM notification_topic_revisions) r
  WHERE until < $1::timestamptz OR (
    NOT EXISTS (SELECT FROM notification_topics t WHERE t.id = r.topic_id)
    AND NOT EXISTS (SELECT FROM notification_subscription_revisions s WHERE s.topic_id = r.topic_id)))
RETURNING topic_id`;

/**
 * Forgets how topics and subscriptions were more than `keepDays` days ago, where they have changed since: for when the events
 * of that time are forgotten too, and nobody can ask why one was or was not notified.
 * @returns how many revisions are gone
 */
export async function forgetNotificationHistory(database: Database, keepDays: number): Promise<number> {
  const [clock] = await database.query<{ limit: Date }>(
    'SELECT clock_timestamp() - make_interval(days => $1) AS limit',
    [keepDays],
  );
  if (!clock) throw new Error('a clock that says nothing');
  const subscriptions = await database.query(SUBSCRIPTIONS, [clock.limit]);
  const topics = await database.query(TOPICS, [clock.limit]);
  return subscriptions.length + topics.length;
}
