import { type Database } from '@ats/postgres';
import { NotFoundError } from '../../vocabulary/validation-error.js';
import { type DeliveryStatus } from '../../objects/delivery.model.js';
import { type EvaluatedEvent, evaluatedEventColumns, type RunRows } from './evaluated-event.js';
import { type TopicRevision } from './revisions.js';
import { keptDeliveryDays } from '../deliveries/partitions.js';

/** An event with its status and the time of its matching. */
export interface ExplainedEvent extends EvaluatedEvent {
  readonly status: 'new' | 'done' | 'quarantined';
  readonly tries: number;
  /** The time when the event was matched. Null while it is not matched. */
  readonly matched_dt: Date | null;
  /**
   * The version of the topic index when the event was matched. Null while it is not matched, and for old events that
   * were matched before versions existed.
   */
  readonly matched_version: number | null;
}

/**
 * Reads an event with its status and the requested values.
 * @throws {NotFoundError} when there is no such event
 */
export async function readExplainedEvent(
  run: RunRows,
  id: number,
  datapaths: readonly string[] = [],
): Promise<ExplainedEvent> {
  const [event] = await run<ExplainedEvent>(
    `SELECT ${evaluatedEventColumns('$2')}, e.status, e.tries, e.matched_dt, e.matched_version
     FROM domain_events e WHERE e.id = $1`,
    [id, datapaths],
  );
  if (!event) throw new NotFoundError('notification_event', id);
  return event;
}

/**
 * SQL condition that is true when the revision `r` was in force when the event was matched. For an event that is not
 * matched yet, the revision must be in force now. The condition compares versions of the topic index. For events that
 * were matched before versions existed, it compares times. `$1` and `$2` come from {@link momentOf}.
 */
const IN_FORCE = `
  CASE WHEN $1::bigint IS NULL THEN r.valid_from_dt <= $2::timestamptz ELSE r.version <= $1::bigint END`;

const momentOf = ({
  status,
  matched_dt,
  matched_version,
}: ExplainedEvent): readonly [version: number | null, moment: Date | string] =>
  status === 'done' ? [matched_version, matched_dt ?? 'infinity'] : [null, 'infinity'];

/**
 * Reads the revision of the topic that was in force when the event was matched. If the topic was created later, reads
 * its first revision and sets `isLater`.
 */
export async function readRevision(
  run: RunRows,
  topicId: number,
  event: ExplainedEvent,
): Promise<{ readonly revision: TopicRevision; readonly isLater: boolean }> {
  const [row] = await run<TopicRevision & { readonly is_later: boolean }>(
    `SELECT r.*, NULL AS until, NOT (${IN_FORCE}) AS is_later FROM notification_topic_revisions r WHERE r.topic_id = $3
     ORDER BY is_later, CASE WHEN ${IN_FORCE} THEN -r.revision ELSE r.revision END LIMIT 1`,
    [...momentOf(event), topicId],
  );
  if (!row) throw new NotFoundError('notification_topic', topicId);
  const { is_later: isLater, ...revision } = row;
  return { revision, isLater };
}

/** A subscription as it was when the event was matched, and as it is now. */
export interface SubscriptionHistory {
  readonly id: number;
  readonly created_dt: Date;
  /** True when the subscription was created after the event was matched. */
  readonly is_later: boolean;
  readonly active_from_dt: Date;
  readonly end_dt: Date | null;
  /** The time since which the subscription had been disabled when the event was matched. Null when it was enabled. */
  readonly disabled_dt: Date | null;
  readonly disabled_reason: string | null;
  /** The last time when the subscription was enabled, disabled or deleted, or got another window. */
  readonly changed_dt: Date;
  readonly is_disabled_now: boolean;
  readonly is_deleted_now: boolean;
  readonly delivery: ExplainedDelivery | null;
  /** True while the delivery log has the deliveries of the event's day. */
  readonly isLogKept: boolean;
}

export interface ExplainedDelivery {
  readonly status: DeliveryStatus;
  readonly attempts: number;
  readonly last_status_code: number | null;
  readonly last_error: string | null;
  /** A time as ISO 8601 text, because PostgreSQL returns the delivery as JSON. */
  readonly next_attempt_dt: string | null;
  readonly finished_dt: string | null;
  /** The time of the first accepted attempt. A redelivery can make an accepted delivery pending again. */
  readonly accepted_dt: string | null;
}

/** Maximum number of subscriptions in one explanation. */
export const MAX_EXPLAINED_SUBSCRIPTIONS = 1_000;

const REVISIONS = 'FROM notification_subscription_revisions r WHERE r.topic_id = $3 AND r.subscription_id = s.id';

const HISTORIES = `
SELECT s.id, first.valid_from_dt AS created_dt, matched.id IS NULL AS is_later,
  COALESCE(matched.active_from_dt, first.active_from_dt) AS active_from_dt,
  CASE WHEN matched.id IS NULL THEN first.end_dt ELSE matched.end_dt END AS end_dt,
  state.disabled_dt, state.disabled_reason,
  last.valid_from_dt AS changed_dt, last.disabled_dt IS NOT NULL AS is_disabled_now, last.is_deleted AS is_deleted_now,
  delivery.row AS delivery
FROM (SELECT DISTINCT subscription_id AS id FROM notification_subscription_revisions WHERE topic_id = $3) s
JOIN LATERAL (SELECT * ${REVISIONS} ORDER BY r.id LIMIT 1) first ON true
JOIN LATERAL (SELECT * ${REVISIONS} ORDER BY r.id DESC LIMIT 1) last ON true
LEFT JOIN LATERAL (SELECT * ${REVISIONS} AND ${IN_FORCE} ORDER BY r.id DESC LIMIT 1) matched ON true
LEFT JOIN LATERAL (
  SELECT * ${REVISIONS} AND r.valid_from_dt <= $4::timestamptz ORDER BY r.id DESC LIMIT 1) state ON true
LEFT JOIN LATERAL (
  SELECT json_build_object('status', CASE d.status WHEN 'queued' THEN 'due' ELSE d.status END, 'attempts', d.attempts,
    'last_status_code', d.last_status_code, 'last_error', d.last_error,
    'next_attempt_dt', d.next_attempt_dt, 'finished_dt', d.finished_dt,
    'accepted_dt', (SELECT min(a.started_dt) FROM notification_attempts a
      WHERE a.delivery_id = d.id AND a.occurred_dt = d.occurred_dt AND a.state = 'done' AND a.error IS NULL)) AS row
  FROM notification_deliveries d
  WHERE d.event_id = $5 AND d.subscription_id = s.id AND d.occurred_dt = $6 LIMIT 1) delivery ON true
WHERE NOT CASE WHEN matched.id IS NULL THEN last.is_deleted ELSE matched.is_deleted END
ORDER BY s.id LIMIT $7`;

/**
 * Reads the subscriptions of the topic: all that existed when the event was matched, and later subscriptions that still
 * exist.
 */
export async function readSubscriptionHistories(
  database: Database,
  run: RunRows,
  topicId: number,
  event: ExplainedEvent,
): Promise<readonly SubscriptionHistory[]> {
  const [version, moment] = momentOf(event);
  const rows = await run<Omit<SubscriptionHistory, 'isLogKept'>>(HISTORIES, [
    version,
    moment,
    topicId,
    event.matched_dt ?? 'infinity',
    event.id,
    event.occurred_dt,
    MAX_EXPLAINED_SUBSCRIPTIONS,
  ]);
  const days = await keptDeliveryDays(database);
  const isLogKept = days.some(({ from, until }) => (!from || from <= event.occurred_dt) && event.occurred_dt < until);
  return rows.map((row) => ({ ...row, isLogKept }));
}
