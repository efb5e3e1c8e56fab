import { type Database, runStatement, type Transaction } from '@ats/domain';
import { type Dispatcher } from '../feeding/dispatcher.js';
import { type QueuedDelivery } from '../feeding/due-deliveries.js';
import { type Logger } from '../logging/logger.js';
import { type Amount } from '../running/poll-loop.js';
import { deadWorkerCondition } from '../running/worker-presence.js';

export interface SweeperOptions {
  readonly database: Database;
  readonly dispatcher: Dispatcher;
  readonly logger: Logger;
  /** Told when something is due again. */
  readonly onDue: () => void;
}

interface WaitingDelivery extends QueuedDelivery {
  readonly queuedMs: number;
}

const SWEEPING_LOCK = 4_711_003;
const BATCH_SIZE = 500;
/** Before that a job has hardly had time to be stored. */
const QUEUED_BEFORE_CHECK_MS = 1_000;
/** After that a job is given up even when Bull still knows it. */
const QUEUED_AT_MOST_MS = 60_000;

/** Finds what was left behind by a process that died or a Redis that lost its data, and makes it due again. */
export class Sweeper {
  constructor(private readonly options: SweeperOptions) {}

  async sweep(): Promise<Amount> {
    const expired = await this.reclaimExpired();
    const lost = await this.requeueLost();
    if (expired + lost > 0) {
      this.options.logger.warn({ expired, lost }, 'made deliveries due again that had been left behind');
      this.options.onDue();
    }
    return 'none';
  }

  private reclaimExpired(): Promise<number> {
    return this.options.database.transaction(async (transaction) => {
      const [lock] = await runStatement<{ isMine: boolean }>(transaction, 'SELECT pg_try_advisory_xact_lock($1) AS "isMine"', [SWEEPING_LOCK]);
      if (!lock?.isMine) return 0;
      const ids = await lockExpired(transaction);
      if (ids.length > 0) await reclaim(transaction, ids);
      return ids.length;
    });
  }

  private async requeueLost(): Promise<number> {
    const { database, dispatcher } = this.options;
    const waiting = await database.query<WaitingDelivery>(
      `SELECT id, attempts, requeues, lane, (extract(epoch FROM clock_timestamp() - queued_dt) * 1000)::integer AS "queuedMs"
       FROM notification_deliveries WHERE status = 'queued' AND queued_dt < clock_timestamp() - $1 * interval '1 millisecond'
       ORDER BY queued_dt LIMIT $2`,
      [QUEUED_BEFORE_CHECK_MS, BATCH_SIZE],
    );
    const verdicts = await Promise.all(
      waiting.map(async (delivery) => delivery.queuedMs > QUEUED_AT_MOST_MS || (await dispatcher.isLost(delivery, delivery.queuedMs))),
    );
    const lost = waiting.filter((_, index) => verdicts[index]);
    if (lost.length === 0) return 0;
    const rows = await database.query(
      `UPDATE notification_deliveries d SET status = 'due', queued_dt = NULL, next_attempt_dt = clock_timestamp(), requeues = d.requeues + 1
       FROM unnest($1::bigint[], $2::integer[], $3::integer[]) AS lost (id, attempts, requeues)
       WHERE d.id = lost.id AND d.attempts = lost.attempts AND d.requeues = lost.requeues AND d.status = 'queued' RETURNING d.id`,
      [lost.map(({ id }) => id), lost.map(({ attempts }) => attempts), lost.map(({ requeues }) => requeues)],
    );
    return rows.length;
  }
}

/** Attempts whose time is up, or whose process has gone. */
async function lockExpired(transaction: Transaction): Promise<readonly number[]> {
  const rows = await runStatement<{ id: number }>(
    transaction,
    `SELECT d.id FROM notification_deliveries d
     WHERE d.status = 'sending' AND (d.lease_until_dt < clock_timestamp() OR ${deadWorkerCondition('d')})
     LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED`,
    [BATCH_SIZE],
  );
  return rows.map(({ id }) => id);
}

async function reclaim(transaction: Transaction, ids: readonly number[]): Promise<void> {
  await runStatement(
    transaction,
    `SELECT s.id FROM notification_subscriptions s
     WHERE s.id IN (SELECT subscription_id FROM notification_deliveries WHERE id = ANY($1)) ORDER BY s.id FOR SHARE`,
    [ids],
  );
  await runStatement(
    transaction,
    `WITH reclaimed AS (
       UPDATE notification_deliveries d SET
         status = CASE WHEN s.id IS NULL THEN 'cancelled' WHEN s.disabled_dt IS NOT NULL THEN 'held' ELSE 'due' END,
         next_attempt_dt = CASE WHEN s.id IS NOT NULL AND s.disabled_dt IS NULL THEN clock_timestamp() END,
         finished_dt = CASE WHEN s.id IS NULL THEN clock_timestamp() END,
         last_error = 'interrupted', lease_token = NULL, lease_until_dt = NULL, lease_worker = NULL
       FROM notification_deliveries old LEFT JOIN notification_subscriptions s ON s.id = old.subscription_id
       WHERE old.id = ANY($1) AND d.id = old.id AND d.occurred_dt = old.occurred_dt
       RETURNING d.id, d.occurred_dt, d.attempts
     )
     UPDATE notification_attempts a SET state = 'interrupted', error = 'interrupted',
       duration_ms = (extract(epoch FROM clock_timestamp() - a.started_dt) * 1000)::integer
     FROM reclaimed r
     WHERE a.delivery_id = r.id AND a.occurred_dt = r.occurred_dt AND a.attempt = r.attempts AND a.state = 'started'`,
    [ids],
  );
}
