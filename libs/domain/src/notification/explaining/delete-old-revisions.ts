import { type Database } from '@ats/postgres';

/**
 * SQL that deletes subscription revisions that were already out of force at the time `$1`. A revision is in force until
 * the next revision. A revision that records a deletion ends at its own time.
 */
const SUBSCRIPTIONS = `
DELETE FROM notification_subscription_revisions WHERE id IN (
  SELECT id FROM (
    SELECT id, valid_from_dt, is_deleted,
      lead(valid_from_dt) OVER (PARTITION BY topic_id, subscription_id ORDER BY id) AS until
    FROM notification_subscription_revisions) r
  WHERE until < $1::timestamptz OR (is_deleted AND valid_from_dt < $1::timestamptz))
RETURNING id`;

/**
 * SQL that deletes topic revisions that were already out of force at the time `$1`. A deleted topic keeps its last
 * revision while a subscription revision needs it.
 */
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
 * Deletes the revisions of topics and subscriptions that were replaced more than `keepDays` days ago. `keepDays` must
 * be the retention of events, because explanations of stored events need the revisions of that time.
 * @returns the number of deleted revisions
 */
export async function deleteOldRevisions(database: Database, keepDays: number): Promise<number> {
  const [clock] = await database.query<{ limit: Date }>(
    'SELECT clock_timestamp() - make_interval(days => $1) AS limit',
    [keepDays],
  );
  if (!clock) throw new Error('the query for the time of the database returned no row');
  const subscriptions = await database.query(SUBSCRIPTIONS, [clock.limit]);
  const topics = await database.query(TOPICS, [clock.limit]);
  return subscriptions.length + topics.length;
}
