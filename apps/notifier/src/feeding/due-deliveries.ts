import { type Database, runStatement } from '@ats/domain';

/** `slow` keeps destinations that fail or linger from taking the places of all others. */
export type Lane = 'hot' | 'slow';

export interface QueuedDelivery {
  readonly id: number;
  /** Attempts begun so far: a job for another number is out of date. */
  readonly attempts: number;
  /** How often it was put back because its job was lost. */
  readonly requeues: number;
  readonly lane: Lane;
}

export type Room = Readonly<Record<Lane, number>>;

/** In flight at the same time to one scheme, host and port, whoever subscribed. Source: NOTIFIER.md 2. */
const MAX_PER_ORIGIN = 32;
/** From this many straight failures on, one delivery at a time probes the subscription. Source: CONTRACT.md 8. */
const FAILURES_UNTIL_PROBING = 5;
/** A delivery that failed this often goes to the slow lane. */
const FAILURES_UNTIL_SLOW = 3;
const SLOW_LATENCY_MS = 2_000;
const FEEDING_LOCK = 4_711_002;

/**
 * Picks what is due, oldest first, within the limits per subscription and origin. Later news of a subject waits for the
 * earlier of the same subscription that is on its way, so that their order is kept while a destination is healthy.
 */
const PICK = `
WITH RECURSIVE waiting AS (
  (SELECT subscription_id FROM notification_deliveries WHERE status = 'due' ORDER BY subscription_id LIMIT 1)
  UNION ALL
  SELECT (SELECT d.subscription_id FROM notification_deliveries d
          WHERE d.status = 'due' AND d.subscription_id > w.subscription_id ORDER BY d.subscription_id LIMIT 1)
  FROM waiting w WHERE w.subscription_id IS NOT NULL
), in_flight AS (
  SELECT d.subscription_id, s.destination_origin, count(*) AS n
  FROM notification_deliveries d JOIN notification_subscriptions s ON s.id = d.subscription_id
  WHERE d.status IN ('queued', 'sending') GROUP BY d.subscription_id, s.destination_origin
), origin_in_flight AS (
  SELECT destination_origin, sum(n) AS n FROM in_flight GROUP BY destination_origin
), candidates AS (
  SELECT d.id, d.occurred_dt, d.next_attempt_dt, s.destination_origin,
    CASE WHEN d.failures >= ${FAILURES_UNTIL_SLOW} OR s.consecutive_failures >= ${FAILURES_UNTIL_PROBING}
           OR s.average_latency_ms > ${SLOW_LATENCY_MS} THEN 'slow' ELSE 'hot' END AS lane,
    row_number() OVER (PARTITION BY d.subscription_id, d.subject_type, COALESCE(d.subject_id, -d.id) ORDER BY d.id) AS subject_rank
  FROM waiting w
  JOIN notification_subscriptions s ON s.id = w.subscription_id
  LEFT JOIN in_flight f ON f.subscription_id = s.id
  CROSS JOIN LATERAL (
    SELECT d.* FROM notification_deliveries d
    WHERE d.status = 'due' AND d.subscription_id = s.id AND d.next_attempt_dt <= clock_timestamp()
      AND NOT EXISTS (
        SELECT FROM notification_deliveries earlier
        WHERE earlier.subscription_id = s.id AND earlier.subject_id = d.subject_id AND earlier.subject_type = d.subject_type
          AND earlier.status IN ('queued', 'sending'))
    ORDER BY d.next_attempt_dt, d.id
    LIMIT GREATEST(0, CASE WHEN s.consecutive_failures >= ${FAILURES_UNTIL_PROBING} THEN 1 ELSE s.max_in_flight END - COALESCE(f.n, 0))
  ) d
), ranked AS (
  SELECT c.*,
    COALESCE(o.n, 0) + row_number() OVER (PARTITION BY c.destination_origin ORDER BY c.next_attempt_dt, c.id) AS origin_rank,
    row_number() OVER (PARTITION BY c.lane ORDER BY c.next_attempt_dt, c.id) AS lane_rank
  FROM candidates c LEFT JOIN origin_in_flight o ON o.destination_origin = c.destination_origin
  WHERE c.subject_rank = 1
)
UPDATE notification_deliveries d SET status = 'queued', queued_dt = clock_timestamp(), lane = r.lane
FROM ranked r
WHERE d.id = r.id AND d.occurred_dt = r.occurred_dt AND d.status = 'due'
  AND r.origin_rank <= ${MAX_PER_ORIGIN} AND r.lane_rank <= CASE r.lane WHEN 'hot' THEN $1::integer ELSE $2::integer END
RETURNING d.id, d.attempts, d.requeues, d.lane`;

/** Marks due deliveries as queued, as many as there is room for. One notifier at a time, so that limits hold for all of them. */
export function pickDueDeliveries(database: Database, room: Room): Promise<QueuedDelivery[]> {
  return database.transaction(async (transaction) => {
    await runStatement(transaction, 'SELECT pg_advisory_xact_lock($1)', [FEEDING_LOCK]);
    return runStatement<QueuedDelivery>(transaction, PICK, [room.hot, room.slow]);
  });
}
