import { type Database, runStatement, type Transaction } from '@ats/postgres';
import {
  CAN_BE_SENT_NOW,
  lockSubscriptionRow,
  noDestination,
  refusal,
  sendNowSql,
  type SubscriptionKey,
} from './redeliver.js';
import { notificationRedeliveries, type RedeliverableStatus } from '../../objects/redelivery.model.js';

/** The deliveries to send again. The time of a delivery is the time of its event. */
export interface RedeliveryRange {
  /** Start of the time range, inclusive. */
  readonly sinceDt: Date;
  /** End of the time range, exclusive. Null means now. */
  readonly untilDt: Date | null;
  /** The status that deliveries must have. Null means any status. */
  readonly status: RedeliverableStatus | null;
}

/**
 * Maximum number of deliveries of a redelivery that are due or being sent at the same time. A new message waits for at
 * most this many.
 */
const BATCH_SIZE = 100;
/**
 * Maximum number of rows that a batch reads. The cursor passes all these rows, even if most of the deliveries are not
 * sent again.
 */
const MAX_READ = 1_000;

/** SQL condition on deliveries `d`. `$1` is the subscription's id, `$2` and `$3` are the times, `$4` is the status. */
const IN_RANGE = `d.subscription_id = $1 AND d.sequence > 0 AND d.occurred_dt >= $2 AND d.occurred_dt < $3
  AND ($4::text IS NULL OR CASE d.status WHEN 'queued' THEN 'due' ELSE d.status END = $4)`;

/** Returns the current number of deliveries in a range. */
export async function countRedeliverable(
  transaction: Transaction,
  subscriptionId: number,
  { sinceDt, untilDt, status }: RedeliveryRange,
): Promise<number> {
  const [row] = await runStatement<{ total: number }>(
    transaction,
    `SELECT count(*)::integer AS total FROM notification_deliveries d
     WHERE ${IN_RANGE.replace('$3', 'COALESCE($3, clock_timestamp())')}`,
    [subscriptionId, sinceDt, untilDt, status],
  );
  return row?.total ?? 0;
}

/**
 * Stores a request to send all deliveries in a range again, in the order of their messages. Notifiers send them with
 * {@link continueRedeliveries}. Messages that are created after the request are not included.
 * @returns the id of the redelivery
 * @throws {NotFoundError} when the topic has no such subscription
 * @throws {ValidationError} `subscription_disabled`, and `missing` without a destination
 * Source: docs/reference/notifications.md, "Redelivery".
 */
export async function createRedelivery(
  transaction: Transaction,
  key: SubscriptionKey,
  range: RedeliveryRange,
): Promise<number> {
  // The deliveries are counted before the lock is taken. Running attempts wait for the lock, so it must be held only
  // briefly.
  const total = await countRedeliverable(transaction, key.id, range);
  const { isDisabled, lastSequence, streams } = await lockSubscriptionRow(transaction, key);
  if (streams) throw noDestination(notificationRedeliveries.name);
  if (isDisabled) throw refusal('subscription_disabled', notificationRedeliveries.name);
  const [row] = await runStatement<{ id: number }>(
    transaction,
    `INSERT INTO notification_redeliveries
       (topic_id, subscription_id, since_dt, until_dt, delivery_status, last_sequence, total)
     SELECT $1, $2, $3, COALESCE($4, date_trunc('milliseconds', clock_timestamp())), $5, $6, $7 RETURNING id`,
    [key.topicId, key.id, range.sinceDt, range.untilDt, range.status, lastSequence, total],
  );
  if (!row) throw new Error('INSERT INTO notification_redeliveries returned no row');
  return row.id;
}

/**
 * SQL for the number of deliveries that the redelivery `r` may make due now. It subtracts the deliveries that are due
 * and those that are being sent from the batch size, and counts both with a small partial index.
 */
const CAPACITY = `${BATCH_SIZE} - (
    SELECT count(*)::integer FROM notification_deliveries d
    WHERE d.subscription_id = r.subscription_id AND d.status = 'due' AND d.next_attempt_dt <= clock_timestamp()
      AND d.reason = 'recover'
  ) - (
    SELECT count(*)::integer FROM notification_deliveries d
    WHERE d.subscription_id = r.subscription_id AND d.status IN ('queued', 'sending') AND d.reason = 'recover')`;

interface RunningRedelivery {
  readonly id: number;
  readonly subscriptionId: number;
  readonly capacity: number;
}

/**
 * Continues every running redelivery by one batch. Several processes may call this function at the same time: a batch
 * and its cursor change in one transaction, so that no delivery is sent twice.
 * @returns the number of running redeliveries, and the number of deliveries that this call made due
 */
export async function continueRedeliveries(
  database: Database,
): Promise<{ readonly running: number; readonly redelivered: number }> {
  const running = await database.query<RunningRedelivery>(
    `SELECT r.id, r.subscription_id AS "subscriptionId", ${CAPACITY} AS capacity
     FROM notification_redeliveries r JOIN notification_subscriptions s ON s.id = r.subscription_id
     WHERE r.status = 'running' AND s.disabled_dt IS NULL ORDER BY r.id`,
  );
  let redelivered = 0;
  for (const one of running)
    if (one.capacity > 0) redelivered += await database.transaction((transaction) => continueOne(transaction, one));
  return { running: running.length, redelivered };
}

interface LockedRedelivery {
  readonly since_dt: Date;
  readonly until_dt: Date;
  readonly delivery_status: RedeliverableStatus | null;
  readonly last_sequence: number;
  readonly cursor_sequence: number;
  readonly capacity: number;
}

/**
 * Continues one redelivery after checking its state again under the locks. Lock order: the subscription before its
 * deliveries.
 */
async function continueOne(transaction: Transaction, { id, subscriptionId }: RunningRedelivery): Promise<number> {
  const enabled = await runStatement(
    transaction,
    'SELECT FROM notification_subscriptions WHERE id = $1 AND disabled_dt IS NULL FOR NO KEY UPDATE',
    [subscriptionId],
  );
  if (enabled.length === 0) return 0;
  const [redelivery] = await runStatement<LockedRedelivery>(
    transaction,
    `SELECT r.since_dt, r.until_dt, r.delivery_status, r.last_sequence, r.cursor_sequence, ${CAPACITY} AS capacity
     FROM notification_redeliveries r WHERE r.id = $1 AND r.status = 'running' FOR UPDATE OF r`,
    [id],
  );
  if (!redelivery || redelivery.capacity <= 0) return 0;
  return sendBatch(transaction, { id, subscriptionId, redelivery });
}

/**
 * SQL that makes the next deliveries after the cursor due, up to the capacity. It moves the cursor to the last row that
 * it has read. The cursor also passes rows with another status than the requested one, because otherwise every batch
 * would read them again.
 */
const SEND = `
WITH scanned AS MATERIALIZED (
  SELECT d.id, d.occurred_dt, d.sequence,
    ($4::text IS NULL OR CASE d.status WHEN 'queued' THEN 'due' ELSE d.status END = $4) AS is_wanted
  FROM notification_deliveries d
  WHERE d.subscription_id = $1 AND d.sequence > $5 AND d.sequence <= $6 AND d.occurred_dt >= $2 AND d.occurred_dt < $3
  ORDER BY d.sequence LIMIT ${MAX_READ}
), batch AS (
  SELECT * FROM scanned WHERE is_wanted ORDER BY sequence LIMIT $7
), sent AS (
  UPDATE notification_deliveries d SET ${sendNowSql('recover')}
  FROM batch WHERE d.id = batch.id AND d.occurred_dt = batch.occurred_dt AND ${CAN_BE_SENT_NOW}
  RETURNING d.id
), counted AS (
  SELECT (SELECT count(*)::integer FROM batch) AS wanted, (SELECT count(*)::integer FROM sent) AS sent,
    (SELECT count(*) FROM scanned) < ${MAX_READ} AND (SELECT count(*) FROM batch) < $7 AS is_last,
    CASE WHEN (SELECT count(*) FROM batch) < $7 THEN (SELECT max(sequence) FROM scanned)
      ELSE (SELECT max(sequence) FROM batch) END AS up_to
)
UPDATE notification_redeliveries r SET redelivered = redelivered + sent, skipped = skipped + wanted - sent,
  cursor_sequence = COALESCE(up_to, cursor_sequence), status = CASE WHEN is_last THEN 'done' ELSE 'running' END,
  updated_dt = date_trunc('milliseconds', clock_timestamp())
FROM counted WHERE r.id = $8
RETURNING sent`;

async function sendBatch(
  transaction: Transaction,
  {
    id,
    subscriptionId,
    redelivery,
  }: { readonly id: number; readonly subscriptionId: number; readonly redelivery: LockedRedelivery },
): Promise<number> {
  const { since_dt, until_dt, delivery_status, cursor_sequence, last_sequence, capacity } = redelivery;
  const range = [subscriptionId, since_dt, until_dt, delivery_status];
  const parameters = [...range, cursor_sequence, last_sequence, capacity, id];
  const [row] = await runStatement<{ sent: number }>(transaction, SEND, parameters);
  return row?.sent ?? 0;
}
