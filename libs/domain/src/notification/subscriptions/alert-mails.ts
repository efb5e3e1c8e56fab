import { type Database, notifyAfterCommit, runStatement, type Transaction } from '@ats/postgres';
import { type EventType } from '../../objects/event-types.js';
import { MAIL_CHANNEL } from '../../rules/communication/outgoing-mails.js';
import { getTransactionRequest } from '../../writing/event/transaction-request.js';

/** The events about which owners of endpoints get e-mails. */
export type AlertType = EventType & (`SUBSCRIPTION_${string}` | 'DELIVERY_EXHAUSTED');

/**
 * SQL that joins the subscription `s`, its endpoint `e` and the owner `u` of the endpoint, when the endpoint asks for
 * e-mails.
 */
export const ALERTED_OWNER = `notification_subscriptions s
  JOIN notification_endpoints e ON e.id = s.endpoint_id AND e.emails_owner
  JOIN users u ON u.id = e.owner_id AND u.type = 'recruiter' AND u.is_active`;

/**
 * Queues an e-mail to the owner for each of these subscriptions, in the transaction of the event. Endpoints that do not
 * ask for e-mails, or have no active owner, get none. Many deliveries of one subscription can become exhausted
 * together, so at most one e-mail an hour reports them. A recovery gets an e-mail only when an earlier e-mail reported
 * the failure.
 * Source: docs/reference/notifications.md, "E-mails to the owner".
 */
export async function queueAlertMails(
  transaction: Transaction,
  type: AlertType,
  subscriptionIds: readonly number[],
): Promise<void> {
  const { requestId, traceparent } = getTransactionRequest(transaction);
  const queued = await runStatement(
    transaction,
    `INSERT INTO outgoing_mails (alert_type, subscription_id, next_attempt_dt, request_id, traceparent)
     SELECT $1::text, s.id, clock_timestamp(), $3, $4 FROM ${ALERTED_OWNER}
     WHERE s.id = ANY($2) AND CASE $1::text
       WHEN 'DELIVERY_EXHAUSTED' THEN NOT EXISTS (
         SELECT FROM outgoing_mails m WHERE m.subscription_id = s.id AND m.alert_type = $1::text
           AND m.status NOT IN ('cancelled', 'failed') AND m.created_dt > clock_timestamp() - interval '1 hour')
       WHEN 'SUBSCRIPTION_RECOVERED' THEN (
         SELECT m.alert_type FROM outgoing_mails m WHERE m.subscription_id = s.id
         ORDER BY m.created_dt DESC, m.id DESC LIMIT 1) <> $1::text
       ELSE true END
     RETURNING id`,
    [type, subscriptionIds, requestId, traceparent],
  );
  if (queued.length > 0) notifyAfterCommit(transaction, MAIL_CHANNEL);
}

/**
 * Deletes e-mails to owners that were sent or given up before the storage period.
 * @returns the number of deleted e-mails
 */
export async function deleteOldAlertMails(database: Database, keptDays: number, limit: number): Promise<number> {
  const deleted = await database.query(
    `DELETE FROM outgoing_mails WHERE id IN (
       SELECT id FROM outgoing_mails WHERE subscription_id IS NOT NULL
         AND finished_dt < clock_timestamp() - make_interval(days => $1) LIMIT $2)
     RETURNING id`,
    [keptDays, limit],
  );
  return deleted.length;
}
