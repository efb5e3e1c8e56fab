import { ADVISORY_LOCKS, type Database, runStatement, type Transaction } from '@ats/postgres';
import { expiredLeaseCondition } from '../../loops/worker-heartbeat.js';
import { CHECK_AFTER_MS, checkableJobCondition, SWEEP_BATCH_SIZE, type SweptTable } from '../../queues/sweep.js';
import { LEASE_SECONDS, type Marks, NO_MARKS } from '../../loops/low-water-marks.js';
import { type QueuedDelivery } from './due-deliveries.js';
import { EXCLUSIVE_IDLE_TIMEOUT, hasStatus } from '../../loops/planned-transaction.js';

export interface WaitingDelivery extends QueuedDelivery {
  readonly queuedMs: number;
}

/** A job that has been in the queue for longer than this counts as lost, even when Bull still has it. */
export const MAX_QUEUED_MS = 60_000;

/** Returns the functions that find and requeue orphaned deliveries. They read indexes from the low-water marks on. */
export const sweptDeliveries = (database: Database, marks = NO_MARKS): SweptTable<WaitingDelivery> => ({
  requeueExpired: () =>
    database.transaction(async (transaction) => {
      const [lock] = await runStatement<{ isMine: boolean }>(transaction, LOCK, [
        ADVISORY_LOCKS.sweeper,
        EXCLUSIVE_IDLE_TIMEOUT,
      ]);
      if (!lock?.isMine) return 0;
      const ids = await findExpired(transaction, marks);
      return ids.length === 0 ? 0 : (await runStatement(transaction, REQUEUE_EXPIRED, [ids])).length;
    }),
  findQueued: () => database.query<WaitingDelivery>(QUEUED, [CHECK_AFTER_MS, SWEEP_BATCH_SIZE, marks.queued]),
  async requeueLost(lost) {
    const rows = await database.query(REQUEUE_LOST, [
      lost.map(({ id }) => id),
      lost.map(({ attempts }) => attempts),
      lost.map(({ requeues }) => requeues),
      lost.map(({ occurred_dt: occurred }) => occurred),
    ]);
    return rows.length;
  },
});

/**
 * SQL that tries to get the lock of the sweeper. When a process stops in the middle of its transaction, because it is
 * frozen for example, the server ends its session and thereby releases the lock.
 */
const LOCK = `SELECT pg_try_advisory_xact_lock($1) AS "isMine",
  set_config('idle_in_transaction_session_timeout', $2, true)`;

const LEASE = { until: 'd.lease_until_dt', worker: 'd.lease_worker', seconds: LEASE_SECONDS };
const EXPIRED = `d.status = 'sending' AND ${expiredLeaseCondition(LEASE)}`;

/**
 * Returns the ids of deliveries with expired leases, and locks their subscriptions. Subscriptions are locked before
 * deliveries and in the order of their ids, like in all other statements. A lease that expires while this statement
 * waits for a lock is handled in the next round, because its subscription is not locked.
 */
async function findExpired(transaction: Transaction, marks: Marks): Promise<readonly number[]> {
  const rows = await runStatement<{ id: number; subscription_id: number }>(
    transaction,
    `SELECT d.id, d.subscription_id FROM notification_deliveries d WHERE ${EXPIRED} AND d.lease_until_dt >= $2 LIMIT $1`,
    [SWEEP_BATCH_SIZE, marks.lease],
  );
  await runStatement(
    transaction,
    'SELECT id FROM notification_subscriptions WHERE id = ANY($1) ORDER BY id FOR SHARE',
    [[...new Set(rows.map((row) => row.subscription_id))]],
  );
  return rows.map(({ id }) => id);
}

/**
 * SQL that requeues attempts with expired leases and logs them as interrupted. A test message is not repeated. Rows
 * that another transaction is finishing are skipped. Deliveries keep their due times, so that they stay before later
 * deliveries about their subjects.
 */
const REQUEUE_EXPIRED = `
WITH expired AS (
  SELECT d.id, d.occurred_dt, d.lease_worker, d.lease_until_dt, d.event_id IS NULL AS is_ping
  FROM notification_deliveries d WHERE d.id = ANY($1) AND ${EXPIRED} FOR NO KEY UPDATE SKIP LOCKED
), requeued AS (
  UPDATE notification_deliveries d SET
    status = CASE WHEN s.id IS NULL THEN 'cancelled' WHEN e.is_ping THEN 'exhausted'
      WHEN s.disabled_dt IS NOT NULL THEN 'held' ELSE 'due' END,
    next_attempt_dt = CASE WHEN s.id IS NOT NULL AND s.disabled_dt IS NULL AND NOT e.is_ping
      THEN COALESCE(old.next_attempt_dt, clock_timestamp()) END,
    finished_dt = CASE WHEN s.id IS NULL OR e.is_ping THEN clock_timestamp() END,
    last_error = 'interrupted', lease_token = NULL, lease_until_dt = NULL, lease_worker = NULL
  FROM expired e JOIN notification_deliveries old ON old.id = e.id AND old.occurred_dt = e.occurred_dt
  LEFT JOIN notification_subscriptions s ON s.id = old.subscription_id
  WHERE d.id = e.id AND d.occurred_dt = e.occurred_dt
  RETURNING d.id, d.occurred_dt, d.attempts, d.reason, COALESCE(s.destination_url, '') AS url, e.lease_worker,
    e.lease_until_dt - interval '${LEASE_SECONDS} seconds' AS started_dt
)
INSERT INTO notification_attempts (occurred_dt, delivery_id, attempt, reason, state, error, url, started_dt,
  duration_ms, worker)
SELECT occurred_dt, id, attempts, reason, 'interrupted', 'interrupted', url, started_dt,
  (extract(epoch FROM clock_timestamp() - started_dt) * 1000)::integer, COALESCE(lease_worker::text, '')
FROM requeued
ON CONFLICT (delivery_id, attempt, occurred_dt)
  DO UPDATE SET state = EXCLUDED.state, error = EXCLUDED.error, duration_ms = EXCLUDED.duration_ms
RETURNING delivery_id`;

const QUEUED = `
SELECT id, occurred_dt, attempts, requeues, lane,
  (extract(epoch FROM clock_timestamp() - queued_dt) * 1000)::integer AS "queuedMs"
FROM notification_deliveries WHERE ${checkableJobCondition('', '$1', String(MAX_QUEUED_MS))}
  AND queued_dt >= $3
ORDER BY queued_dt LIMIT $2`;

/** Requeues deliveries whose jobs are lost, with their due times. */
const REQUEUE_LOST = `
UPDATE notification_deliveries d
SET status = 'due', queued_dt = NULL, next_attempt_dt = COALESCE(d.next_attempt_dt, clock_timestamp()),
  requeues = d.requeues + 1
FROM unnest($1::bigint[], $2::integer[], $3::integer[], $4::timestamptz[]) AS lost (id, attempts, requeues, occurred_dt)
WHERE d.id = lost.id AND d.occurred_dt = lost.occurred_dt AND d.attempts = lost.attempts AND d.requeues = lost.requeues
  AND ${hasStatus('d', 'queued')} RETURNING d.id`;
