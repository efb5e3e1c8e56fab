import { type Database, runStatement, type Transaction } from '@ats/postgres';
import { CAN_BE_SENT_NOW, lockSubscriptionRow, refusal, sendNowSql, type SubscriptionKey } from './redeliver.js';
import { notificationRedeliveries, type RedeliverableStatus } from '../../objects/redelivery.model.js';

/** Which deliveries are to be sent again, by the time of their events. */
export interface RedeliveryRange {
  /** Inclusive. */
  readonly sinceDt: Date;
  /** Exclusive; null: now. */
  readonly untilDt: Date | null;
  /** Null: whatever their status. */
  readonly status: RedeliverableStatus | null;
}

/** How many of a request's deliveries wait to be sent at the same time: news of the subscription has to wait for no more. */
const BATCH_SIZE = 100;
/** Rows looked at for a batch: where most are passed over, the cursor still moves on. */
const LOOKED_AT = 1_000;

/** Of deliveries called `d`; `$1` is the subscription, `$2` and `$3` the times, `$4` the status. */
const IN_RANGE = `d.subscription_id = $1 AND d.sequence > 0 AND d.occurred_dt >= $2 AND d.occurred_dt < $3
  AND ($4::text IS NULL OR CASE d.status WHEN 'queued' THEN 'due' ELSE d.status END = $4)`;

/** How many deliveries there are in a range at this moment. */
export async function countRedeliverable(
  transaction: Transaction,
  subscriptionId: number,
  { sinceDt, untilDt, status }: RedeliveryRange,
): Promise<number> {
  const [row] = await runStatement<{ total: number }>(
    transaction,
    `SELECT count(*)::integer AS total FROM notification_deliveries d WHERE ${IN_RANGE.replace('$3', 'COALESCE($3, clock_timestamp())')}`,
    [subscriptionId, sinceDt, untilDt, status],
  );
  return row?.total ?? 0;
}

/**
 * Asks for everything in a range to be sent again, in the order of the messages. A notifier works it off, see
 * {@link continueRedeliveries}; messages that are made from now on are not part of it.
 * @returns the id of the request
 * @throws {NotFoundError} when the topic has no such subscription
 * @throws {ValidationError} `subscription_disabled`
 * Source: CONTRACT.md 8; NOTIFIER.md 3, row 26.
 */
export async function createRedelivery(
  transaction: Transaction,
  key: SubscriptionKey,
  range: RedeliveryRange,
): Promise<number> {
  // Before the lock, which attempts wait for.
  const total = await countRedeliverable(transaction, key.id, range);
  const { isDisabled, lastSequence } = await lockSubscriptionRow(transaction, key);
  if (isDisabled) throw refusal('subscription_disabled', notificationRedeliveries.name);
  const [row] = await runStatement<{ id: number }>(
    transaction,
    `INSERT INTO notification_redeliveries (topic_id, subscription_id, since_dt, until_dt, delivery_status, last_sequence, total)
     SELECT $1, $2, $3, COALESCE($4, date_trunc('milliseconds', clock_timestamp())), $5, $6, $7 RETURNING id`,
    [key.topicId, key.id, range.sinceDt, range.untilDt, range.status, lastSequence, total],
  );
  if (!row) throw new Error('an insert returned no row');
  return row.id;
}

/** How many more may be made due now; of a row called `r`. Two counts, each by its own small index. */
const ROOM = `${BATCH_SIZE} - (
    SELECT count(*)::integer FROM notification_deliveries d
    WHERE d.subscription_id = r.subscription_id AND d.status = 'due' AND d.next_attempt_dt <= clock_timestamp() AND d.reason = 'recover'
  ) - (
    SELECT count(*)::integer FROM notification_deliveries d
    WHERE d.subscription_id = r.subscription_id AND d.status IN ('queued', 'sending') AND d.reason = 'recover')`;

interface RunningRedelivery {
  readonly id: number;
  readonly subscriptionId: number;
  readonly room: number;
}

/**
 * Takes each request that is running one batch further. Any number of processes may do so: of a batch, the deliveries and the
 * cursor change together, so that whoever goes on repeats nothing.
 * @returns how many requests are running, and how many deliveries are due because of them now
 */
export async function continueRedeliveries(
  database: Database,
): Promise<{ readonly running: number; readonly redelivered: number }> {
  const running = await database.query<RunningRedelivery>(
    `SELECT r.id, r.subscription_id AS "subscriptionId", ${ROOM} AS room
     FROM notification_redeliveries r JOIN notification_subscriptions s ON s.id = r.subscription_id
     WHERE r.status = 'running' AND s.disabled_dt IS NULL ORDER BY r.id`,
  );
  let redelivered = 0;
  for (const one of running)
    if (one.room > 0) redelivered += await database.transaction((transaction) => continueOne(transaction, one));
  return { running: running.length, redelivered };
}

interface LockedRedelivery {
  readonly since_dt: Date;
  readonly until_dt: Date;
  readonly delivery_status: RedeliverableStatus | null;
  readonly last_sequence: number;
  readonly cursor_sequence: number;
  readonly room: number;
}

/** Looks once more under the locks: the subscription's before its deliveries, as everywhere. */
async function continueOne(transaction: Transaction, { id, subscriptionId }: RunningRedelivery): Promise<number> {
  const enabled = await runStatement(
    transaction,
    'SELECT FROM notification_subscriptions WHERE id = $1 AND disabled_dt IS NULL FOR NO KEY UPDATE',
    [subscriptionId],
  );
  if (enabled.length === 0) return 0;
  const [redelivery] = await runStatement<LockedRedelivery>(
    transaction,
    `SELECT r.since_dt, r.until_dt, r.delivery_status, r.last_sequence, r.cursor_sequence, ${ROOM} AS room
     FROM notification_redeliveries r WHERE r.id = $1 AND r.status = 'running' FOR UPDATE OF r`,
    [id],
  );
  if (!redelivery || redelivery.room <= 0) return 0;
  return sendBatch(transaction, { id, subscriptionId, redelivery });
}

/**
 * The deliveries after the cursor, as many as there is room for; the cursor stops at the last one that was looked at. Those
 * that do not have the wanted status are looked at too, or a long row of them would be gone through again and again.
 */
const SEND = `
WITH looked_at AS MATERIALIZED (
  SELECT d.id, d.occurred_dt, d.sequence, ($4::text IS NULL OR CASE d.status WHEN 'queued' THEN 'due' ELSE d.status END = $4) AS is_wanted
  FROM notification_deliveries d
  WHERE d.subscription_id = $1 AND d.sequence > $5 AND d.sequence <= $6 AND d.occurred_dt >= $2 AND d.occurred_dt < $3
  ORDER BY d.sequence LIMIT ${LOOKED_AT}
), batch AS (
  SELECT * FROM looked_at WHERE is_wanted ORDER BY sequence LIMIT $7
), sent AS (
  UPDATE notification_deliveries d SET ${sendNowSql('recover')}
  FROM batch WHERE d.id = batch.id AND d.occurred_dt = batch.occurred_dt AND ${CAN_BE_SENT_NOW}
  RETURNING d.id
), counted AS (
  SELECT (SELECT count(*)::integer FROM batch) AS wanted, (SELECT count(*)::integer FROM sent) AS sent,
    (SELECT count(*) FROM looked_at) < ${LOOKED_AT} AND (SELECT count(*) FROM batch) < $7 AS is_last,
    CASE WHEN (SELECT count(*) FROM batch) < $7 THEN (SELECT max(sequence) FROM looked_at) ELSE (SELECT max(sequence) FROM batch) END AS up_to
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
  const { since_dt, until_dt, delivery_status, cursor_sequence, last_sequence, room } = redelivery;
  const parameters = [subscriptionId, since_dt, until_dt, delivery_status, cursor_sequence, last_sequence, room, id];
  const [row] = await runStatement<{ sent: number }>(transaction, SEND, parameters);
  return row?.sent ?? 0;
}
