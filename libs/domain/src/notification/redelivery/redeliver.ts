import { runStatement, type Transaction } from '@ats/postgres';
import { NotFoundError, ValidationError } from '../../vocabulary/validation-error.js';
import { streamsSql } from '../deliveries/pending-deliveries.js';
import { notificationDeliveries, notificationDelivery, REDELIVERY_REFUSALS } from '../../objects/delivery.model.js';

export interface SubscriptionKey {
  readonly topicId: number;
  readonly id: number;
}

/**
 * SQL assignments that make the deliveries `d` due now. A delivery that waits for a retry continues its retry schedule.
 * A finished delivery starts a new retry schedule. Use it only together with {@link CAN_BE_SENT_NOW}.
 */
export const sendNowSql = (reason: 'manual' | 'recover'): string =>
  `status = 'due', reason = '${reason}', next_attempt_dt = statement_timestamp(), finished_dt = NULL,
    queued_dt = NULL, failures = CASE d.status WHEN 'due' THEN d.failures ELSE 0 END`;

/**
 * SQL condition that is true when the delivery `d` is finished or waits for a retry. A delivery that is held, queued,
 * due now or being sent cannot be sent now.
 */
export const CAN_BE_SENT_NOW = `(d.status IN ('delivered', 'exhausted', 'cancelled')
  OR (d.status = 'due' AND d.next_attempt_dt > clock_timestamp()))`;

/**
 * Sends one delivery again. It keeps its row, message id, body and sequence, so that no two attempts for it run at the
 * same time. A delivery that is due or being sent does not change.
 * @throws {NotFoundError} when the topic has no such subscription, or the subscription no such delivery
 * @throws {ValidationError} `subscription_disabled`, `is_ping`, and `missing` without a destination
 * Source: docs/reference/notifications.md, "Redelivery".
 */
export async function redeliver(transaction: Transaction, subscription: SubscriptionKey, id: number): Promise<void> {
  const { isDisabled, streams } = await lockSubscriptionRow(transaction, subscription);
  const [delivery] = await runStatement<{ occurred_dt: Date; isPing: boolean }>(
    transaction,
    `SELECT occurred_dt, event_id IS NULL AS "isPing"
     FROM notification_deliveries WHERE id = $1 AND subscription_id = $2`,
    [id, subscription.id],
  );
  if (!delivery) throw new NotFoundError(notificationDelivery.name, id);
  if (delivery.isPing) throw refusal('is_ping');
  if (streams) throw noDestination(notificationDeliveries.name);
  if (isDisabled) throw refusal('subscription_disabled');
  await runStatement(
    transaction,
    `UPDATE notification_deliveries d SET ${sendNowSql('manual')}
     WHERE d.id = $1 AND d.occurred_dt = $2 AND ${CAN_BE_SENT_NOW}`,
    [id, delivery.occurred_dt],
  );
  await runStatement(transaction, BRING_FORWARD, [id, delivery.occurred_dt]);
}

/** Maximum number of deliveries that one redelivery brings forward. */
const FORWARD_AT_ONCE = 1_000;

/**
 * SQL that brings forward later deliveries about the same subject as the delivery `$1`. They were postponed until its
 * next attempt, and are still sent after it. This is a statement of its own, so that it also finds deliveries that were
 * postponed while an earlier statement waited for a lock.
 */
const BRING_FORWARD = `
UPDATE notification_deliveries d SET next_attempt_dt = earlier.next_attempt_dt
FROM notification_deliveries earlier CROSS JOIN LATERAL (
  SELECT later.id, later.occurred_dt FROM notification_deliveries later
  WHERE later.subscription_id = earlier.subscription_id AND later.subject_id = earlier.subject_id
    AND later.subject_type = earlier.subject_type AND later.id > earlier.id AND later.status = 'due'
    AND later.next_attempt_dt > later.created_dt AND later.attempts = 0
    AND later.next_attempt_dt > clock_timestamp()
  ORDER BY later.id LIMIT ${FORWARD_AT_ONCE}) postponed
WHERE earlier.id = $1 AND earlier.occurred_dt = $2 AND earlier.status = 'due'
  AND d.id = postponed.id AND d.occurred_dt = postponed.occurred_dt AND d.status = 'due'`;

export const refusal = (
  code: keyof typeof REDELIVERY_REFUSALS,
  resource = notificationDeliveries.name,
): ValidationError => new ValidationError(resource, [{ path: '', code, info: REDELIVERY_REFUSALS[code] }]);

/** Returns the error for a request to send a message of an endpoint without a destination. */
export const noDestination = (resource: string): ValidationError =>
  new ValidationError(resource, [{ path: '/destination_url', code: 'missing' }]);

interface LockedSubscription {
  readonly isDisabled: boolean;
  readonly lastSequence: number;
  /** True when the endpoint of the subscription has no destination. */
  readonly streams: boolean;
}

/**
 * Locks a subscription's row against being disabled or deleted until the transaction ends. Lock order: a subscription
 * before its deliveries. Unlike `lockSubscription` it does not block matching.
 * @throws {NotFoundError} when the topic has no such subscription
 */
export async function lockSubscriptionRow(
  transaction: Transaction,
  { topicId, id }: SubscriptionKey,
): Promise<LockedSubscription> {
  const [row] = await runStatement<LockedSubscription>(
    transaction,
    `SELECT disabled_dt IS NOT NULL AS "isDisabled", last_sequence AS "lastSequence", ${streamsSql('s')} AS streams
     FROM notification_subscriptions s WHERE id = $1 AND topic_id = $2 FOR NO KEY UPDATE`,
    [id, topicId],
  );
  if (!row) throw new NotFoundError('notification_subscription', id);
  return row;
}
