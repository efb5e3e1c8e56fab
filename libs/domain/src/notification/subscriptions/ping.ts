import { randomUUID } from 'node:crypto';
import { type Database, runStatement, type Transaction } from '@ats/postgres';
import { getTransactionRequest } from '../../writing/event/transaction-request.js';
import { NotFoundError } from '../../vocabulary/validation-error.js';
import { toPingBody } from '../deliveries/message.js';
import { type SubscriptionKey } from '../redelivery/redeliver.js';

interface PingedSubscription {
  readonly uuid: string;
  readonly topicUuid: string;
  readonly revision: number;
  readonly deliveryId: number;
  readonly now: Date;
}

/**
 * Creates the delivery of a test message. The subscription may be disabled. The delivery has the sequence 0 and only
 * one attempt, which counts neither as a failure nor as a success of the subscription. Call {@link ensurePingDay}
 * before, so that the partition of the delivery exists.
 * @returns the id of the delivery
 * @throws {NotFoundError} when the topic has no such subscription
 * Source: docs/reference/notifications.md, "Test messages".
 */
export async function insertPing(
  transaction: Transaction,
  { topicId, id }: SubscriptionKey,
  { recruiterId, baseUrl }: { readonly recruiterId: number; readonly baseUrl: string },
): Promise<number> {
  const [subscription] = await runStatement<PingedSubscription>(
    transaction,
    `SELECT s.uuid, t.uuid AS "topicUuid", t.revision, nextval('notification_delivery_ids') AS "deliveryId",
       date_trunc('milliseconds', clock_timestamp()) AS now
     FROM notification_subscriptions s JOIN notification_topics t ON t.id = s.topic_id
     WHERE s.id = $1 AND t.id = $2 FOR KEY SHARE OF s`,
    [id, topicId],
  );
  if (!subscription) throw new NotFoundError('notification_subscription', id);
  const { uuid, topicUuid, revision, deliveryId, now } = subscription;
  const messageId = randomUUID();
  const body = toPingBody(
    { deliveryId, recruiterId, now },
    { id, uuid, topic: { id: topicId, uuid: topicUuid } },
    { messageId, baseUrl },
  );
  const { requestId, traceparent } = getTransactionRequest(transaction);
  await runStatement(
    transaction,
    `INSERT INTO notification_deliveries
       (id, occurred_dt, message_id, subscription_id, topic_id, topic_revision, sequence, body, status, next_attempt_dt,
        reason, request_id, traceparent)
     VALUES ($1, $2, $3, $4, $5, $6, 0, $7, 'due', clock_timestamp(), 'ping', $8, $9)`,
    [deliveryId, now, messageId, id, topicId, revision, body, requestId, traceparent],
  );
  return deliveryId;
}

/**
 * Creates the partitions for today and tomorrow, so that a test message can be stored even if no notifier has run for
 * days. It calls a function of the database, because the role of the API must not create tables.
 */
export async function ensurePingDay(database: Database): Promise<void> {
  await database.query(
    `SELECT create_delivery_day((clock_timestamp() AT TIME ZONE 'UTC')::date + days) FROM generate_series(0, 1) days`,
  );
}
