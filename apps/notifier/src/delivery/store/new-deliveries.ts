import { streamsSql } from '@ats/domain';
import { prepared, runPrepared, runStatement, type Transaction } from '@ats/postgres';
import { PLAN_ONCE } from '../../loops/planned-transaction.js';

export interface NewDelivery {
  readonly event: {
    readonly id: number;
    readonly occurred_dt: Date;
    readonly subject_type: string;
    readonly subject_id: number;
    readonly request_id: string | null;
  };
  readonly topic: { readonly id: number; readonly revision: number };
  readonly subscription: { readonly id: number };
  readonly messageId: string;
  /** The exact text that attempts sign and send. */
  readonly body: string;
  /** The trace context of the span in which the event was matched. */
  readonly traceparent: string | null;
}

/** Locks subscriptions in the order of their ids, so that two matchers cannot deadlock. */
const LOCK_SUBSCRIPTIONS = prepared(
  'SELECT id FROM notification_subscriptions WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE',
);

/**
 * SQL that creates one delivery for each pair of event and subscription, never two. Sequence numbers have no gaps,
 * because they are assigned under the lock of the subscription. A delivery is held when its subscription is disabled. A
 * delivery has the status `delivered` from the start when the endpoint has no destination, because clients read its
 * message from the feed.
 */
export const INSERT = prepared(`
WITH wanted AS (
  SELECT *, row_number() OVER (PARTITION BY subscription_id ORDER BY event_id) AS position
  FROM unnest($1::bigint[], $2::timestamptz[], $3::bigint[], $4::bigint[], $5::integer[], $6::text[], $7::bigint[],
    $8::uuid[], $9::text[], $10::text[], $11::text[])
    AS given (event_id, occurred_dt, subscription_id, topic_id, topic_revision, subject_type, subject_id, message_id,
      body, request_id, traceparent)
  WHERE NOT EXISTS (
    SELECT FROM notification_deliveries known
    WHERE known.event_id = given.event_id AND known.occurred_dt = given.occurred_dt
      -- CASE hides this condition from the planner, which may otherwise read all deliveries of the subscription.
      AND CASE known.subscription_id WHEN given.subscription_id THEN true END)
), counted AS (
  SELECT subscription_id, count(*) AS n FROM wanted GROUP BY subscription_id
), numbered AS (
  UPDATE notification_subscriptions s SET last_sequence = s.last_sequence + counted.n
  FROM counted WHERE s.id = counted.subscription_id
  RETURNING s.id, s.last_sequence - counted.n AS before, CASE WHEN ${streamsSql('s')} THEN 'delivered'
    WHEN s.disabled_dt IS NOT NULL THEN 'held' ELSE 'due' END AS status
), clock AS MATERIALIZED (
  -- The time is read after the subscriptions are locked, so due times have the order of ids. See \`subject-order.ts\`.
  SELECT clock_timestamp() AS dt
)
INSERT INTO notification_deliveries (event_id, occurred_dt, subscription_id, topic_id, topic_revision, subject_type,
  subject_id, message_id, body, request_id, traceparent, sequence, status, created_dt, next_attempt_dt, finished_dt,
  keeps_answers)
SELECT w.event_id, w.occurred_dt, w.subscription_id, w.topic_id, w.topic_revision, w.subject_type, w.subject_id,
  w.message_id, w.body, w.request_id, w.traceparent,
  n.before + w.position, n.status, clock.dt, CASE n.status WHEN 'due' THEN clock.dt END,
  CASE n.status WHEN 'delivered' THEN clock.dt END,
  -- No answers are kept when the person was anonymised before the event was matched.
  COALESCE((SELECT e.anonymised_dt IS NULL FROM domain_events e WHERE e.id = w.event_id), true)
FROM wanted w JOIN numbered n ON n.id = w.subscription_id CROSS JOIN clock
ORDER BY w.event_id, w.subscription_id
RETURNING id`);

/**
 * Creates deliveries. Skips pairs of event and subscription that already have one. The settings of `PLAN_ONCE` also
 * apply to the later statements of the transaction.
 * @returns the number of created deliveries
 */
export async function insertDeliveries(transaction: Transaction, deliveries: readonly NewDelivery[]): Promise<number> {
  if (deliveries.length === 0) return 0;
  const subscriptionIds = [...new Set(deliveries.map(({ subscription }) => subscription.id))];
  await runStatement(transaction, PLAN_ONCE);
  await runPrepared(transaction, LOCK_SUBSCRIPTIONS, [subscriptionIds]);
  const rows = await runPrepared(transaction, INSERT, toParameters(deliveries));
  return rows.length;
}

/** Returns the parameters of {@link INSERT}. */
export const toParameters = (deliveries: readonly NewDelivery[]): readonly unknown[] => [
  deliveries.map(({ event }) => event.id),
  deliveries.map(({ event }) => event.occurred_dt),
  deliveries.map(({ subscription }) => subscription.id),
  deliveries.map(({ topic }) => topic.id),
  deliveries.map(({ topic }) => topic.revision),
  deliveries.map(({ event }) => event.subject_type),
  deliveries.map(({ event }) => event.subject_id),
  deliveries.map(({ messageId }) => messageId),
  deliveries.map(({ body }) => body),
  deliveries.map(({ event }) => event.request_id),
  deliveries.map(({ traceparent }) => traceparent),
];
