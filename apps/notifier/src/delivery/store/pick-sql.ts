import { streamsSql } from '@ats/domain';
import { HANGING_AFTER_MS } from '../../queues/concurrency-slots.js';
import { CLAIMED_COLUMNS, TYPE } from './claimed-deliveries.js';
import { secretsSql } from './endpoint-secrets.js';
import { FAILURES_UNTIL_PROBING, maxInFlight } from './finish-sql.js';
import { LEASE_SECONDS } from '../../loops/low-water-marks.js';
import { hasStatus } from '../../loops/planned-transaction.js';
import { hasMovedSql, isSubjectBusySql, waitsBehindSql } from './subject-order.js';

/** Maximum concurrency slots of one origin (scheme, host and port), for all subscriptions together. */
const SLOTS_PER_ORIGIN = 32;
/** Maximum number of hanging attempts to one origin that need no slot. Further hanging attempts keep their slots. */
const MAX_HANGING_PER_ORIGIN = 64;
/** Maximum slots of one origin for all its troubled subscriptions together. */
const TROUBLED_SLOTS_PER_ORIGIN = 8;
/** Number of failed attempts from which a delivery uses the slow lane. */
const FAILURES_UNTIL_SLOW = 3;
/** Average latency in ms above which a subscription uses the slow lane and is troubled. */
const SLOW_LATENCY_MS = 2_000;
/** Number of oldest due rows that are read to find the subscriptions with due deliveries. */
const OLDEST = 2_000;
/** Number of due rows of a subscription that are searched for a subject that has no queued or running delivery. */
const LOOK_AHEAD = 200;

/**
 * SQL condition that is true when an attempt is hanging: its lease began more than `HANGING_AFTER_MS` ago. The lease of
 * a follower begins when its turn is expected.
 */
const IS_HANGING = `d.status = 'sending'
  AND d.lease_until_dt < clock_timestamp() + interval '${LEASE_SECONDS * 1_000 - HANGING_AFTER_MS} milliseconds'`;
/**
 * SQL for the number of slots that queued and running deliveries use. The deliveries of a chain have the same token and
 * use one slot, because they are sent one after the other.
 */
const SLOTS = `count(*) FILTER (WHERE d.status = 'queued') + count(DISTINCT d.lease_token) FILTER (WHERE d.status = 'sending')`;
/** SQL condition that makes a subscription troubled. It is also troubled while one of its attempts is hanging. */
const IS_FAILING_OR_SLOW = `s.consecutive_failures > 0 OR COALESCE(s.average_latency_ms, 0) > ${SLOW_LATENCY_MS}`;
/**
 * SQL order in which deliveries get slots. A subscription gets a second slot only after all others have got their
 * first.
 */
const BY_SHARE = 'busy + rank, next_attempt_dt, id';

/**
 * SQL for the number of attempts that a throttled endpoint may still get. Null for an endpoint without a throttle. An
 * attempt counts from the time when it was queued until `per_s` seconds after its end. So it counts in every window of
 * `per_s` seconds in which its request may have been sent.
 */
const FREE_USES = `CASE WHEN e.throttle_limit IS NOT NULL THEN e.throttle_limit - (
    SELECT count(*) FROM notification_throttle_uses u WHERE u.endpoint_id = e.id
      AND (u.ended_dt IS NULL OR u.ended_dt > now() - make_interval(secs => e.throttle_per_s))) END`;
/**
 * SQL that stores the end of attempts to throttled endpoints. The stored end may be later than the real end, which only
 * lengthens the wait. It is never earlier, because an early end would allow too many attempts.
 */
const END_USES = `UPDATE notification_throttle_uses u SET ended_dt = clock_timestamp()
  WHERE u.ended_dt IS NULL AND NOT EXISTS (
    SELECT FROM notification_deliveries d WHERE d.id = u.delivery_id AND d.occurred_dt = u.occurred_dt
      AND ((d.status = 'queued' AND d.attempts = u.attempts AND d.requeues = u.requeues)
        OR (d.status = 'sending' AND d.attempts = u.attempts + 1)))`;
/**
 * SQL that deletes stored uses of throttles: uses that no window counts any more, and uses of endpoints that no longer
 * have a throttle.
 */
const DELETE_USES = `DELETE FROM notification_throttle_uses u
  WHERE u.ended_dt < now() - make_interval(secs => COALESCE(
    (SELECT throttle_per_s FROM notification_endpoints e WHERE e.id = u.endpoint_id), 0))`;

/**
 * SQL for the sequence of the first unfinished message of a subscription, if its endpoint has strict ordering. Null for
 * other endpoints.
 */
const FIRST_UNFINISHED = `(SELECT min(due.sequence) FROM notification_deliveries due
  WHERE e.ordering = 'strict' AND due.subscription_id = s.id AND due.status = 'due' AND due.event_id IS NOT NULL
    AND due.next_attempt_dt >= mark.due)`;

/**
 * SQL condition that is true when the next batch of the endpoint may start: it is full, or its first message has waited
 * long enough. Always true for an endpoint without a batch. The due poller picks one message for each batch. The worker
 * claims the other messages of the batch, see `claimBatch`.
 */
const IS_BATCH_READY = `CASE WHEN COALESCE(e.batch_wait_ms, 0) = 0 THEN true ELSE
  EXISTS (SELECT FROM notification_deliveries due WHERE due.status = 'due' AND due.subscription_id = s.id
    AND due.next_attempt_dt >= mark.due AND due.event_id IS NOT NULL
    AND due.next_attempt_dt <= now() - e.batch_wait_ms * interval '1 millisecond')
  OR e.batch_max <= (SELECT count(*) FROM (SELECT FROM notification_deliveries due WHERE due.status = 'due'
    AND due.subscription_id = s.id AND due.next_attempt_dt >= mark.due AND due.next_attempt_dt <= now()
    AND due.event_id IS NOT NULL LIMIT e.batch_max) full_one)
  END`;

/**
 * SQL condition that is true when the subscription has more than `own.n` due deliveries. `own.n` is the number of
 * deliveries that this statement claims, which it still sees as due.
 */
const HAS_MORE = `own.n < (SELECT count(*) FROM (SELECT FROM notification_deliveries due WHERE due.status = 'due'
    AND due.subscription_id = s.id AND due.next_attempt_dt >= $3 AND due.next_attempt_dt <= now()
    AND due.event_id IS NOT NULL LIMIT own.n + 1) first_due)`;

/** SQL for test messages. They are sent at once, regardless of all limits, because a person waits for them. */
const PINGS = `SELECT id, occurred_dt, next_attempt_dt, 'hot' AS lane, NULL::bigint AS throttled_id, false AS is_own
  FROM notification_deliveries
  WHERE status = 'due' AND event_id IS NULL AND next_attempt_dt <= now() ORDER BY next_attempt_dt LIMIT $1::integer`;

/**
 * Picks due deliveries within the limits of subscriptions and origins (docs/reference/notifications.md, "Concurrency").
 *
 * - Fairness: the subscription with the fewest running attempts comes first, then the oldest delivery. A hanging
 *   attempt holds no slot of its origin. The troubled subscriptions of an origin share few slots, and get none while
 *   too many attempts are hanging. So most slots are left to the healthy subscriptions of the origin.
 * - Order: a delivery waits until the earlier ones of the same subscription and subject are finished. With strict
 *   ordering, only the first unfinished delivery of a subscription is sent. Without ordering, no delivery waits for
 *   another.
 * - Batches: one delivery is picked for each batch of a subscription.
 * - Throttle: an endpoint gets as many deliveries as its throttle allows now. Its other deliveries stay due.
 * - Claims: deliveries for which this process has free slots are claimed at once. The others are queued for jobs. The
 *   first delivery of a batch is always queued, because claiming a batch starts with a queued delivery.
 * - Released deliveries: deliveries that were held are sent one at a time, before all later deliveries of the
 *   subscription. No delivery of a subscription is sent until its whole backlog is released.
 * - Cost: subscriptions are found through the oldest due rows, so that rows with a later next attempt add no cost.
 *   When more than `OLDEST` rows are due, all subscriptions with due rows are read, so that one backlog does not hide
 *   the others.
 * - Time: the query uses `now()`, because `clock_timestamp()` cannot limit an index scan.
 *
 * Parameters: $1 and $2 the capacities of the lanes; $3, $4 and $5 the low-water marks of due times, queue times and
 * leases; $6 the number of the worker; $7 and $8 its free slots in the lanes. The due time of a released delivery is
 * the time when its subscription was enabled, which may be before the mark. So the query ignores the mark of due times
 * for a subscription that releases held deliveries.
 */
export const PICK = `
WITH RECURSIVE oldest AS MATERIALIZED (
  SELECT subscription_id FROM notification_deliveries
  WHERE status = 'due' AND next_attempt_dt >= $3::timestamptz AND next_attempt_dt <= now()
  ORDER BY next_attempt_dt LIMIT ${OLDEST}
), all_due AS (
  (SELECT subscription_id FROM notification_deliveries
   WHERE status = 'due' AND next_attempt_dt >= $3 AND (SELECT count(*) FROM oldest) = ${OLDEST}
   ORDER BY subscription_id LIMIT 1)
  UNION ALL
  SELECT (SELECT d.subscription_id FROM notification_deliveries d
          WHERE d.status = 'due' AND d.subscription_id > e.subscription_id AND d.next_attempt_dt >= $3
          ORDER BY d.subscription_id LIMIT 1)
  FROM all_due e WHERE e.subscription_id IS NOT NULL
), waiting AS (
  SELECT subscription_id FROM oldest UNION SELECT subscription_id FROM all_due
), running AS (
  SELECT subscription_id, status, sequence, lease_token, lease_until_dt FROM notification_deliveries
  WHERE status = 'queued' AND queued_dt >= $4::timestamptz AND event_id IS NOT NULL
  UNION ALL
  SELECT subscription_id, status, sequence, lease_token, lease_until_dt FROM notification_deliveries
  WHERE status = 'sending' AND lease_until_dt >= $5::timestamptz AND event_id IS NOT NULL
), in_flight AS (
  SELECT s.id AS subscription_id, s.destination_origin, ${SLOTS} AS n,
    count(*) FILTER (WHERE d.status = 'queued') AS queued,
    count(DISTINCT d.lease_token) FILTER (WHERE ${IS_HANGING}) AS hanging,
    bool_or(${IS_HANGING}) OR ${IS_FAILING_OR_SLOW} AS is_troubled,
    bool_or(d.sequence <= s.released_sequence) AS has_released
  FROM running d JOIN notification_subscriptions s ON s.id = d.subscription_id GROUP BY s.id
), origin_in_flight AS (
  SELECT destination_origin, sum(hanging) AS hanging, sum(n) - LEAST(sum(hanging), ${MAX_HANGING_PER_ORIGIN}) AS slots,
    sum(n - hanging) FILTER (WHERE is_troubled) AS troubled_slots
  FROM in_flight GROUP BY destination_origin
), candidates AS (
  SELECT d.id, d.occurred_dt, d.next_attempt_dt, s.destination_origin,
    CASE WHEN d.failures >= ${FAILURES_UNTIL_SLOW} OR s.consecutive_failures >= ${FAILURES_UNTIL_PROBING}
           OR s.average_latency_ms > ${SLOW_LATENCY_MS} THEN 'slow' ELSE 'hot' END AS lane,
    COALESCE(f.n, 0) AS busy, COALESCE(f.is_troubled, ${IS_FAILING_OR_SLOW}) AS is_troubled,
    row_number() OVER (PARTITION BY d.subscription_id, d.subject_type, d.subject_id ORDER BY d.id) AS subject_rank,
    s.endpoint_id, ${FREE_USES} AS free_uses, COALESCE(e.ordering, 'subject') AS ordering,
    e.batch_max IS NOT NULL AS is_batch,
    row_number() OVER by_time AS rank, first_value(d.sequence) OVER by_time <= s.released_sequence AS is_releasing
  FROM waiting w
  JOIN notification_subscriptions s ON s.id = w.subscription_id AND s.disabled_dt IS NULL AND NOT ${streamsSql('s')}
    AND NOT EXISTS (SELECT FROM notification_backlogs b WHERE b.subscription_id = s.id)
  LEFT JOIN notification_endpoints e ON e.id = s.endpoint_id
  LEFT JOIN in_flight f ON f.subscription_id = s.id
  CROSS JOIN LATERAL (
    SELECT CASE WHEN s.released_sequence IS NULL THEN $3::timestamptz ELSE '-infinity' END AS due) mark
  CROSS JOIN LATERAL (SELECT ${FIRST_UNFINISHED} AS sequence) first_unfinished
  CROSS JOIN LATERAL (SELECT ${IS_BATCH_READY} AS is_ready) batch
  CROSS JOIN LATERAL (SELECT ${hasMovedSql('s.id')} AS found) moved
  CROSS JOIN LATERAL (
    SELECT d.* FROM (
      SELECT d.* FROM notification_deliveries d
      WHERE d.status = 'due' AND d.subscription_id = s.id AND d.next_attempt_dt >= mark.due
        AND d.next_attempt_dt <= now() AND d.event_id IS NOT NULL AND batch.is_ready
        AND (first_unfinished.sequence IS NULL OR d.sequence = first_unfinished.sequence)
      ORDER BY d.next_attempt_dt, d.id LIMIT ${LOOK_AHEAD}) d
    WHERE e.ordering = 'none' OR NOT (${isSubjectBusySql('d')} OR (moved.found AND ${waitsBehindSql('d')}))
    ORDER BY d.next_attempt_dt, d.id
    LIMIT GREATEST(0, LEAST(CASE WHEN e.batch_max IS NOT NULL THEN 1 - COALESCE(f.queued, 0) END,
      CASE WHEN f.has_released THEN 0 WHEN e.ordering = 'strict'
      OR s.consecutive_failures >= ${FAILURES_UNTIL_PROBING} THEN 1
      ELSE LEAST(${maxInFlight('s')}, s.in_flight_limit) END - COALESCE(f.n, 0)))
  ) d
  WINDOW by_time AS (PARTITION BY d.subscription_id ORDER BY d.next_attempt_dt, d.id)
), ordered AS (
  SELECT *, row_number() OVER (PARTITION BY endpoint_id ORDER BY ${BY_SHARE}) AS use FROM candidates
  WHERE CASE WHEN is_releasing THEN rank = 1 ELSE ordering = 'none' OR subject_rank = 1 END
), shared AS (
  SELECT c.*, o.hanging, COALESCE(o.slots, 0) AS slots, COALESCE(o.troubled_slots, 0)
    + row_number() OVER (PARTITION BY destination_origin, is_troubled ORDER BY ${BY_SHARE}) AS troubled_rank
  FROM ordered c LEFT JOIN origin_in_flight o USING (destination_origin)
  WHERE c.free_uses IS NULL OR c.use <= c.free_uses
), of_origin AS (
  SELECT *, slots + row_number() OVER (PARTITION BY destination_origin ORDER BY ${BY_SHARE}) AS origin_rank
  FROM shared
  WHERE NOT is_troubled
    OR (troubled_rank <= ${TROUBLED_SLOTS_PER_ORIGIN} AND COALESCE(hanging, 0) < ${MAX_HANGING_PER_ORIGIN})
), of_lane AS (
  SELECT *, NOT is_batch AND row_number() OVER (PARTITION BY lane, is_batch ORDER BY ${BY_SHARE})
      <= CASE lane WHEN 'hot' THEN $7::integer ELSE $8::integer END AS is_own
  FROM of_origin WHERE origin_rank <= ${SLOTS_PER_ORIGIN}
), ranked AS (
  SELECT *, row_number() OVER (PARTITION BY lane, is_own ORDER BY ${BY_SHARE}) AS lane_rank FROM of_lane
), ended AS (
  ${END_USES}
), forgotten AS (
  ${DELETE_USES}
), picked AS (
  SELECT id, occurred_dt, next_attempt_dt, lane, CASE WHEN free_uses IS NOT NULL THEN endpoint_id END AS throttled_id,
    is_own
  FROM ranked
  WHERE is_own OR lane_rank <= CASE lane WHEN 'hot' THEN $1::integer - $7::integer ELSE $2::integer - $8::integer END
  UNION ALL (${PINGS})
), taken AS (
  UPDATE notification_deliveries d SET lane = p.lane, status = CASE WHEN p.is_own THEN 'sending' ELSE 'queued' END,
    queued_dt = CASE WHEN NOT p.is_own THEN clock_timestamp() END, attempts = d.attempts + p.is_own::integer,
    lease_token = CASE WHEN p.is_own THEN gen_random_uuid() END,
    lease_worker = CASE WHEN p.is_own THEN $6::integer END,
    lease_until_dt = CASE WHEN p.is_own THEN clock_timestamp() + interval '${LEASE_SECONDS} seconds' END
  FROM picked p
  WHERE d.id = p.id AND d.occurred_dt = p.occurred_dt AND ${hasStatus('d', 'due')}
  RETURNING ${CLAIMED_COLUMNS}, d.requeues, d.lane, p.next_attempt_dt, p.throttled_id, p.is_own
), used AS (
  INSERT INTO notification_throttle_uses (endpoint_id, delivery_id, occurred_dt, attempts, requeues)
  SELECT throttled_id, id, occurred_dt, attempts - is_own::integer, requeues FROM taken WHERE throttled_id IS NOT NULL
  ON CONFLICT (endpoint_id, delivery_id, attempts, requeues) DO UPDATE SET ended_dt = NULL
), target AS MATERIALIZED (
  SELECT s.id, s.destination_url, s.endpoint_id, ${secretsSql('s.endpoint_id')} AS secrets, ${HAS_MORE} AS has_more
  FROM (SELECT subscription_id, count(*) AS n FROM taken WHERE is_own GROUP BY subscription_id) own
  JOIN notification_subscriptions s ON s.id = own.subscription_id
)
SELECT c.*, CASE WHEN c.is_own THEN ${TYPE} END AS type, date_trunc('milliseconds', clock_timestamp()) AS claimed_dt,
  t.destination_url, t.endpoint_id, t.secrets, t.has_more, false AS is_batch
FROM taken c LEFT JOIN target t ON c.is_own AND t.id = c.subscription_id ORDER BY c.next_attempt_dt, c.id`;
