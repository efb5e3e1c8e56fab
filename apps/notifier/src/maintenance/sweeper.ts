import { moveBacklogs } from '@ats/domain';
import { type Database, runStatement, type Transaction } from '@ats/postgres';
import { type Dispatcher } from '../delivery/lane-dispatcher.js';
import { type QueuedDelivery } from '../delivery/store/due-deliveries.js';
import { type Logger } from '@ats/logging';
import { type Measures } from '../counters/metrics.js';
import { type Amount } from '../loops/poll-loop.js';
import { LEASE_SECONDS } from '../delivery/store/claimed-deliveries.js';
import { deadWorkerCondition } from '../loops/worker-heartbeat.js';

export interface SweeperOptions {
  readonly database: Database;
  readonly dispatcher: Dispatcher;
  readonly logger: Logger;
  readonly measures: Measures;
  /** Told when something is due again. */
  readonly onDue: () => void;
}

interface WaitingDelivery extends QueuedDelivery {
  readonly queuedMs: number;
}

const SWEEPING_LOCK = 4_711_003;
const BATCH_SIZE = 500;
/** Before that a job has hardly had time to be stored. Four times as long each time it was taken for lost: where claims are slow, each is granted in the end. */
const QUEUED_BEFORE_CHECK_MS = 1_000;
/** After that a job is given up even when Bull still knows it. */
const QUEUED_AT_MOST_MS = 60_000;

/** Finds what was left behind by a process that died or a Redis that lost its data, and makes it due again. */
export class Sweeper {
  constructor(private readonly options: SweeperOptions) {}

  async sweep(): Promise<Amount> {
    const expired = await this.reclaimExpired();
    const lost = await this.requeueLost();
    const hasMore = await moveBacklogs(this.options.database);
    this.options.measures.madeDueAgain({ lease: expired, job: lost });
    if (expired + lost > 0) {
      this.options.logger.warn({ expired, lost }, 'made deliveries due again that had been left behind');
      this.options.onDue();
    }
    return hasMore ? 'more' : 'none';
  }

  private reclaimExpired(): Promise<number> {
    return this.options.database.transaction(async (transaction) => {
      const [lock] = await runStatement<{ isMine: boolean }>(
        transaction,
        'SELECT pg_try_advisory_xact_lock($1) AS "isMine"',
        [SWEEPING_LOCK],
      );
      if (!lock?.isMine) return 0;
      const ids = await findExpired(transaction);
      return ids.length === 0 ? 0 : (await runStatement(transaction, RECLAIM, [ids])).length;
    });
  }

  private async requeueLost(): Promise<number> {
    const { database, dispatcher } = this.options;
    const waiting = await database.query<WaitingDelivery>(
      `SELECT id, occurred_dt, attempts, requeues, lane, (extract(epoch FROM clock_timestamp() - queued_dt) * 1000)::integer AS "queuedMs"
       FROM notification_deliveries WHERE status = 'queued' AND queued_dt < clock_timestamp() - LEAST($1 * power(4, LEAST(requeues, 10)), ${QUEUED_AT_MOST_MS}) * interval '1 millisecond'
       ORDER BY queued_dt LIMIT $2`,
      [QUEUED_BEFORE_CHECK_MS, BATCH_SIZE],
    );
    const verdicts = await Promise.all(
      waiting.map(
        async (delivery) =>
          delivery.queuedMs > QUEUED_AT_MOST_MS || (await dispatcher.isLost(delivery, delivery.queuedMs)),
      ),
    );
    const lost = waiting.filter((_, index) => verdicts[index]);
    if (lost.length === 0) return 0;
    const rows = await database.query(
      `UPDATE notification_deliveries d SET status = 'due', queued_dt = NULL, next_attempt_dt = clock_timestamp(), requeues = d.requeues + 1
       FROM unnest($1::bigint[], $2::integer[], $3::integer[], $4::timestamptz[]) AS lost (id, attempts, requeues, occurred_dt)
       WHERE d.id = lost.id AND d.occurred_dt = lost.occurred_dt AND d.attempts = lost.attempts AND d.requeues = lost.requeues AND d.status = 'queued' RETURNING d.id`,
      [
        lost.map(({ id }) => id),
        lost.map(({ attempts }) => attempts),
        lost.map(({ requeues }) => requeues),
        lost.map(({ occurred_dt: occurred }) => occurred),
      ],
    );
    return rows.length;
  }
}

/** Attempts whose time is up, or whose process has gone. */
const EXPIRED = `d.status = 'sending' AND (d.lease_until_dt < clock_timestamp() OR ${deadWorkerCondition({ until: 'd.lease_until_dt', worker: 'd.lease_worker', seconds: LEASE_SECONDS })})`;

/**
 * Ids of deliveries whose attempt has expired, with their subscriptions locked: before the deliveries, and in the order of their ids, as
 * everywhere. What expires while this waits for a lock is for the next time, since its subscription is not locked.
 */
async function findExpired(transaction: Transaction): Promise<readonly number[]> {
  const rows = await runStatement<{ id: number; subscription_id: number }>(
    transaction,
    `SELECT d.id, d.subscription_id FROM notification_deliveries d WHERE ${EXPIRED} LIMIT $1`,
    [BATCH_SIZE],
  );
  await runStatement(
    transaction,
    'SELECT id FROM notification_subscriptions WHERE id = ANY($1) ORDER BY id FOR SHARE',
    [[...new Set(rows.map((row) => row.subscription_id))]],
  );
  return rows.map(({ id }) => id);
}

/** Makes expired attempts due again and notes them as interrupted; a ping is not tried twice. What somebody is finishing right now is left to them. */
const RECLAIM = `
WITH expired AS (
  SELECT d.id, d.occurred_dt, d.lease_worker, d.lease_until_dt, d.event_id IS NULL AS is_ping
  FROM notification_deliveries d WHERE d.id = ANY($1) AND ${EXPIRED} FOR NO KEY UPDATE SKIP LOCKED
), reclaimed AS (
  UPDATE notification_deliveries d SET
    status = CASE WHEN s.id IS NULL THEN 'cancelled' WHEN e.is_ping THEN 'exhausted' WHEN s.disabled_dt IS NOT NULL THEN 'held' ELSE 'due' END,
    next_attempt_dt = CASE WHEN s.id IS NOT NULL AND s.disabled_dt IS NULL AND NOT e.is_ping THEN clock_timestamp() END,
    finished_dt = CASE WHEN s.id IS NULL OR e.is_ping THEN clock_timestamp() END,
    last_error = 'interrupted', lease_token = NULL, lease_until_dt = NULL, lease_worker = NULL
  FROM expired e JOIN notification_deliveries old ON old.id = e.id AND old.occurred_dt = e.occurred_dt
  LEFT JOIN notification_subscriptions s ON s.id = old.subscription_id
  WHERE d.id = e.id AND d.occurred_dt = e.occurred_dt
  RETURNING d.id, d.occurred_dt, d.attempts, d.reason, COALESCE(s.destination_url, '') AS url, e.lease_worker,
    e.lease_until_dt - interval '${LEASE_SECONDS} seconds' AS started_dt
)
INSERT INTO notification_attempts (occurred_dt, delivery_id, attempt, reason, state, error, url, started_dt, duration_ms, worker)
SELECT occurred_dt, id, attempts, reason, 'interrupted', 'interrupted', url, started_dt,
  (extract(epoch FROM clock_timestamp() - started_dt) * 1000)::integer, COALESCE(lease_worker::text, '')
FROM reclaimed
ON CONFLICT (delivery_id, attempt, occurred_dt) DO UPDATE SET state = EXCLUDED.state, error = EXCLUDED.error, duration_ms = EXCLUDED.duration_ms
RETURNING delivery_id`;
