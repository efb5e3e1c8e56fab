import { runStatement, type Transaction } from '@ats/postgres';
import { type ClaimedEvent } from '../../matching/claimed-events.js';
import { type Match } from '../../matching/judge-event.js';

export interface NewDelivery {
  readonly event: ClaimedEvent;
  readonly match: Match;
  readonly messageId: string;
  /** What will be sent and signed, byte for byte. */
  readonly body: string;
  /** Of the part of the trace in which it was matched. */
  readonly traceparent: string | null;
}

/** In the order of their ids, so that two matchers never wait for each other. */
const LOCK_SUBSCRIPTIONS = `SELECT id FROM notification_subscriptions WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE`;

/**
 * One delivery for each pair of event and subscription, never two. Sequence numbers have no gaps: they are given under the
 * lock of the subscription, which also tells whether it is disabled.
 */
const INSERT = `
WITH wanted AS (
  SELECT *, row_number() OVER (PARTITION BY subscription_id ORDER BY event_id) AS position
  FROM unnest($1::bigint[], $2::timestamptz[], $3::bigint[], $4::bigint[], $5::integer[], $6::text[], $7::bigint[], $8::uuid[], $9::text[], $10::text[], $11::text[])
    AS given (event_id, occurred_dt, subscription_id, topic_id, topic_revision, subject_type, subject_id, message_id, body, request_id, traceparent)
  WHERE NOT EXISTS (
    SELECT FROM notification_deliveries known
    WHERE known.event_id = given.event_id AND known.subscription_id = given.subscription_id AND known.occurred_dt = given.occurred_dt)
), counted AS (
  SELECT subscription_id, count(*) AS n FROM wanted GROUP BY subscription_id
), numbered AS (
  UPDATE notification_subscriptions s SET last_sequence = s.last_sequence + counted.n
  FROM counted WHERE s.id = counted.subscription_id
  RETURNING s.id, s.last_sequence - counted.n AS before, s.disabled_dt IS NOT NULL AS is_disabled
)
INSERT INTO notification_deliveries (event_id, occurred_dt, subscription_id, topic_id, topic_revision, subject_type, subject_id,
  message_id, body, request_id, traceparent, sequence, status, next_attempt_dt, keeps_answers)
SELECT w.event_id, w.occurred_dt, w.subscription_id, w.topic_id, w.topic_revision, w.subject_type, w.subject_id, w.message_id, w.body, w.request_id, w.traceparent,
  n.before + w.position, CASE WHEN n.is_disabled THEN 'held' ELSE 'due' END, CASE WHEN n.is_disabled THEN NULL ELSE now() END,
  -- Of a person who was anonymised before the event was matched.
  COALESCE((SELECT e.anonymised_dt IS NULL FROM domain_events e WHERE e.id = w.event_id), true)
FROM wanted w JOIN numbered n ON n.id = w.subscription_id
ORDER BY w.event_id, w.subscription_id
RETURNING id`;

/** @returns how many are new */
export async function insertDeliveries(transaction: Transaction, deliveries: readonly NewDelivery[]): Promise<number> {
  if (deliveries.length === 0) return 0;
  const subscriptionIds = [...new Set(deliveries.map(({ match }) => match.subscription.id))];
  await runStatement(transaction, LOCK_SUBSCRIPTIONS, [subscriptionIds]);
  const rows = await runStatement(transaction, INSERT, [
    deliveries.map(({ event }) => event.id),
    deliveries.map(({ event }) => event.occurred_dt),
    deliveries.map(({ match }) => match.subscription.id),
    deliveries.map(({ match }) => match.topic.id),
    deliveries.map(({ match }) => match.topic.revision),
    deliveries.map(({ event }) => event.subject_type),
    deliveries.map(({ event }) => event.subject_id),
    deliveries.map(({ messageId }) => messageId),
    deliveries.map(({ body }) => body),
    deliveries.map(({ event }) => event.request_id),
    deliveries.map(({ traceparent }) => traceparent),
  ]);
  return rows.length;
}

/** Keeps what was read late beside the event, so that the judgement can be explained later. */
export async function insertLateFacts(
  transaction: Transaction,
  eventId: number,
  facts: Readonly<Record<string, unknown>>,
): Promise<void> {
  await runStatement(
    transaction,
    `INSERT INTO notification_late_facts (event_id, facts) VALUES ($1, $2)
     ON CONFLICT (event_id) DO UPDATE SET facts = EXCLUDED.facts, read_dt = EXCLUDED.read_dt`,
    [eventId, JSON.stringify(facts)],
  );
}
