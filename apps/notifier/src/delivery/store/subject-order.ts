import { type Database, prepared } from '@ats/postgres';
import { BEGIN_PLANNED, hasStatus, plannedTransaction } from '../../loops/planned-transaction.js';

/**
 * The order of messages about one subject (docs/reference/notifications.md, "Ordering"). While a delivery of a
 * subscription is unfinished, no later delivery about the same subject is sent. Within a subscription, ids and the
 * column `sequence` have the same order, so it is enough to compare ids.
 *
 * Matching gives deliveries due times in the order of their ids. So a delivery whose due time never moved comes after
 * all earlier deliveries in the order of due times. Only deliveries whose due time moved, such as retries, need a
 * look-up. Most subscriptions have no such delivery.
 */

/**
 * SQL condition that is true when the due delivery `d` got another due time after it was created: by a retry, a
 * redelivery, its release or {@link postponeBlocked}. It must equal the predicate of the index
 * `ix_notification_deliveries_moved`.
 */
const isMoved = (d: string): string => `${d}.status = 'due' AND ${d}.next_attempt_dt > ${d}.created_dt`;

const isSameSubject = (other: string, d: string): string => `${other}.subscription_id = ${d}.subscription_id
    AND ${other}.subject_id = ${d}.subject_id AND ${other}.subject_type = ${d}.subject_type`;

/** SQL condition that is true when a subscription has a due delivery whose due time moved. */
export const hasMovedSql = (subscriptionId: string): string => `EXISTS (SELECT FROM notification_deliveries moved
    WHERE moved.subscription_id = ${subscriptionId} AND ${isMoved('moved')})`;

/** SQL condition that is true when another delivery about the subject of `d` is queued or running. */
export const isSubjectBusySql = (d: string): string => `EXISTS (
    SELECT FROM notification_deliveries other
    WHERE ${isSameSubject('other', d)} AND other.status IN ('queued', 'sending'))`;

/**
 * SQL condition that is true when an earlier delivery about the subject of `d` is due and its due time moved.
 * @param where  a further SQL condition on this delivery, `earlier`
 */
export const waitsBehindSql = (d: string, where = 'true'): string => `EXISTS (
    SELECT FROM notification_deliveries earlier
    WHERE ${isSameSubject('earlier', d)} AND ${isMoved('earlier')} AND earlier.id < ${d}.id AND ${where})`;

/**
 * Number of due rows of a subscription that one round of {@link postponeBlocked} reads. It is larger than the number of
 * rows that the due poller reads.
 */
const READ_AT_ONCE = 2_000;

/**
 * SQL that moves deliveries behind the first unfinished delivery about their subject, in the order of due times.
 * Without this SQL, deliveries that wait for the retry of an earlier delivery could hide all other subjects from the
 * due poller.
 *
 * A row that another transaction has locked is skipped. The first delivery is locked, too, so that a redelivery of the
 * first delivery either comes first or finds the postponed deliveries.
 */
const POSTPONE = prepared(`
WITH RECURSIVE subscription AS (
  (SELECT subscription_id AS id FROM notification_deliveries moved WHERE ${isMoved('moved')} ORDER BY 1 LIMIT 1)
  UNION ALL
  SELECT (SELECT moved.subscription_id FROM notification_deliveries moved
    WHERE ${isMoved('moved')} AND moved.subscription_id > s.id ORDER BY 1 LIMIT 1)
  FROM subscription s WHERE s.id IS NOT NULL
), blocked AS MATERIALIZED (
  SELECT d.id, d.occurred_dt, head.id AS head_id, head.occurred_dt AS head_occurred_dt
  FROM subscription s JOIN notification_subscriptions n ON n.id = s.id
  JOIN notification_endpoints e ON e.id = n.endpoint_id AND e.ordering = 'subject'
  CROSS JOIN LATERAL (
    SELECT d.id, d.occurred_dt, d.subscription_id, d.subject_id, d.subject_type, d.next_attempt_dt
    FROM notification_deliveries d
    WHERE d.status = 'due' AND d.subscription_id = s.id AND d.next_attempt_dt <= now() AND d.event_id IS NOT NULL
    ORDER BY d.next_attempt_dt, d.id LIMIT ${READ_AT_ONCE}) d
  CROSS JOIN LATERAL (
    SELECT earlier.id, earlier.occurred_dt, earlier.next_attempt_dt FROM notification_deliveries earlier
    WHERE ${isSameSubject('earlier', 'd')} AND ${isMoved('earlier')} AND earlier.id < d.id
    ORDER BY earlier.id LIMIT 1) head
  WHERE d.next_attempt_dt < head.next_attempt_dt
), locked AS MATERIALIZED (
  SELECT d.id, d.occurred_dt, head.next_attempt_dt
  FROM blocked b
  JOIN notification_deliveries head ON head.id = b.head_id AND head.occurred_dt = b.head_occurred_dt
    AND ${hasStatus('head', 'due')}
  JOIN notification_deliveries d ON d.id = b.id AND d.occurred_dt = b.occurred_dt AND ${hasStatus('d', 'due')}
  FOR NO KEY UPDATE OF head, d SKIP LOCKED
)
UPDATE notification_deliveries d SET next_attempt_dt = l.next_attempt_dt
FROM locked l WHERE d.id = l.id AND d.occurred_dt = l.occurred_dt AND d.next_attempt_dt < l.next_attempt_dt
RETURNING d.id`);

/**
 * Postpones due deliveries that wait behind an earlier delivery about the same subject: they get its due time.
 * @returns true when it has postponed so many deliveries that there may be more; call this function again then. Half of
 *   the rows that it reads is enough for this, because it leaves out rows that another transaction has locked
 */
export async function postponeBlocked(database: Database): Promise<boolean> {
  const { rows } = await plannedTransaction(database, BEGIN_PLANNED, (client) => client.query(POSTPONE));
  return rows.length >= READ_AT_ONCE / 2;
}
