import { OPERATOR_SUBJECTS } from '@ats/domain';

/** Weight of the newest attempts in the average latency of a subscription. */
export const LATENCY_WEIGHT = 0.2;
/**
 * Number of consecutive failures after which the circuit breaker opens. While it is open, one attempt is made at a
 * time, until an attempt succeeds.
 */
export const FAILURES_UNTIL_PROBING = 5;
/**
 * SQL for the maximum of the concurrency limit of the subscription `s`. Subscriptions of a shared endpoint store 0 in
 * this column. The 0 keeps notifiers of the previous release, which find no keys for these subscriptions, from sending.
 */
export const maxInFlight = (s: string): string => `COALESCE(NULLIF(${s}.max_in_flight, 0), 4)`;
/** Number of successes since the last overload after which the concurrency limit grows by one. */
export const SUCCESSES_FOR_ONE_MORE = 20;

/** SQL for the rows of the finished attempts, as `toRow` writes them. */
const FINISHED = `
SELECT * FROM json_to_recordset($1::json) AS given (
  position integer, delivery_id bigint, occurred_dt timestamptz, subscription_id bigint, attempt integer, token uuid,
  reason text, url text, started_dt timestamptz, is_success boolean, is_ping boolean, counts_for boolean,
  counts_against boolean, is_gone boolean, is_overload boolean, delay_ms double precision, spent integer, state text,
  resolve_ms integer, headers_ms integer, duration_ms integer, remote_address text, status_code integer, error text,
  request_headers jsonb, response_headers jsonb, response_excerpt text, is_truncated boolean)`;

/**
 * SQL that stores the attempts in the log. When the sweeper has already logged an attempt as interrupted, the result
 * replaces that entry. The answer is not stored if the person whom the delivery is about was anonymised.
 */
const LOG = `
INSERT INTO notification_attempts (occurred_dt, delivery_id, attempt, reason, state, url, started_dt, resolve_ms,
  headers_ms, duration_ms, remote_address, status_code, error, request_headers, response_headers, response_excerpt,
  is_truncated, worker)
SELECT f.occurred_dt, delivery_id, attempt, f.reason, state, url, started_dt, resolve_ms, headers_ms, duration_ms,
  remote_address, status_code, error, request_headers, CASE WHEN d.keeps_answers THEN response_headers END,
  CASE WHEN d.keeps_answers THEN response_excerpt END, is_truncated, $2
FROM finished f JOIN notification_deliveries d ON d.id = f.delivery_id AND d.occurred_dt = f.occurred_dt
WHERE d.id = ANY(ARRAY(SELECT delivery_id FROM finished)) AND d.occurred_dt BETWEEN $5 AND $6
ON CONFLICT (delivery_id, attempt, occurred_dt) DO UPDATE SET state = EXCLUDED.state, resolve_ms = EXCLUDED.resolve_ms,
  headers_ms = EXCLUDED.headers_ms, duration_ms = EXCLUDED.duration_ms, remote_address = EXCLUDED.remote_address,
  status_code = EXCLUDED.status_code, error = EXCLUDED.error, request_headers = EXCLUDED.request_headers,
  response_headers = EXCLUDED.response_headers, response_excerpt = EXCLUDED.response_excerpt,
  is_truncated = EXCLUDED.is_truncated, worker = EXCLUDED.worker`;

/**
 * SQL that sets the new status of each delivery. A success always counts, because the destination has the message. A
 * failure counts only if the delivery still belongs to this attempt. A failed delivery is cancelled when the
 * subscription was deleted. It is held when the subscription is disabled, or will be because of an answer 410.
 */
const SETTLE = `
UPDATE notification_deliveries d SET
  status = next.status,
  next_attempt_dt = CASE WHEN next.status = 'due' THEN clock_timestamp() + next.delay_ms * interval '1 millisecond' END,
  finished_dt = CASE WHEN next.status NOT IN ('due', 'held') THEN clock_timestamp() END,
  failures = d.failures + CASE WHEN next.is_success THEN 0 ELSE next.spent END, requeues = 0,
  last_status_code = next.status_code, last_error = next.error, reason = CASE WHEN next.is_ping THEN 'ping'
    ELSE 'auto' END,
  queued_dt = NULL, lease_token = NULL, lease_until_dt = NULL, lease_worker = NULL
FROM (
  SELECT DISTINCT ON (f.delivery_id) f.*, CASE
    WHEN f.is_success THEN 'delivered'
    WHEN s.id IS NULL THEN 'cancelled'
    WHEN (s.disabled_dt IS NOT NULL OR f.is_gone AND f.url = s.destination_url) AND NOT f.is_ping THEN 'held'
    WHEN f.delay_ms IS NULL THEN 'exhausted'
    ELSE 'due' END AS status
  FROM finished f CROSS JOIN locked LEFT JOIN subscription s ON s.id = f.subscription_id
  -- A delivery can have two finished attempts. A success wins. Otherwise the newer attempt wins, as it has the claim.
  ORDER BY f.delivery_id, f.is_success DESC, f.attempt DESC
) next
WHERE d.id = next.delivery_id AND d.id = ANY(ARRAY(SELECT delivery_id FROM finished))
  AND d.occurred_dt = next.occurred_dt
  AND d.occurred_dt BETWEEN $5 AND $6
  AND CASE WHEN next.is_success THEN d.status <> 'delivered' ELSE d.lease_token = next.token END
RETURNING d.id AS delivery_id, d.occurred_dt, next.attempt, d.status, d.subscription_id, d.sequence,
  d.event_id IS NOT NULL AND COALESCE(d.subject_type, '') <> ALL('{${OPERATOR_SUBJECTS.join()}}') AS raises_events`;

/** SQL that counts for each subscription its successes, and its failures after the last success. */
const TALLY = `
SELECT f.subscription_id, count(*) FILTER (WHERE counts_for) AS successes,
  COALESCE(bool_or(is_overload), false) AS is_overloaded,
  count(*) FILTER (WHERE counts_against AND position > COALESCE(last_success, -1)) AS failures,
  COALESCE(bool_or(counts_against AND raises_events), false) AS raises_events,
  avg(duration_ms) FILTER (WHERE counts_for) AS duration_ms
FROM counting f
JOIN (SELECT subscription_id, max(position) FILTER (WHERE counts_for) AS last_success FROM counting
  GROUP BY subscription_id) o USING (subscription_id)
GROUP BY f.subscription_id`;

/**
 * SQL for the attempts that count for their subscription: the attempts whose result changed the delivery. So a result
 * that is stored twice, or by a worker without a valid claim, does not count. Failures at a URL that the subscription
 * no longer has do not count either.
 */
const COUNTING = `
SELECT f.*, settled.raises_events FROM finished f
JOIN settled USING (delivery_id, attempt)
JOIN subscription s ON s.id = f.subscription_id
WHERE f.counts_for OR (f.counts_against AND f.url = s.destination_url)`;

/**
 * SQL that adapts the concurrency limit of each subscription. An overload halves the limit. 20 successes raise it by
 * one. While the circuit breaker recovers, the limit doubles with each round of successes: 1, 2, 4 and so on. For a
 * shared endpoint the limit grows by one instead, because notifiers of the previous release must not find
 * `is_recovering`.
 *
 * A subscription is in trouble when it is disabled or fails repeatedly. Failures of messages about other subscriptions
 * do not make a subscription count as in trouble, because otherwise two subscriptions that watch each other could cause
 * endless messages. A subscription recovers with its first success, unless it is disabled.
 */
const COUNT = `
UPDATE notification_subscriptions s SET
  consecutive_failures = CASE WHEN tally.successes > 0 THEN tally.failures
    ELSE s.consecutive_failures + tally.failures END,
  first_failure_dt = CASE WHEN tally.failures = 0 THEN NULL WHEN tally.successes > 0 THEN clock_timestamp()
    ELSE COALESCE(s.first_failure_dt, clock_timestamp()) END,
  last_success_dt = CASE WHEN tally.successes > 0 THEN clock_timestamp() ELSE s.last_success_dt END,
  average_latency_ms = CASE WHEN tally.successes > 0
    THEN round(COALESCE(s.average_latency_ms, tally.duration_ms) * ${1 - LATENCY_WEIGHT}
      + tally.duration_ms * ${LATENCY_WEIGHT}) ELSE s.average_latency_ms END,
  in_flight_limit = CASE
    WHEN tally.is_overloaded THEN GREATEST(1, s.in_flight_limit / 2)
    WHEN begins.recovery THEN 1
    WHEN grows.double THEN LEAST(${maxInFlight('s')}, s.in_flight_limit * 2)
    WHEN grows.one THEN s.in_flight_limit + 1
    ELSE s.in_flight_limit END,
  limit_successes = CASE WHEN tally.is_overloaded OR (s.is_recovering AND tally.failures > 0) OR begins.recovery
    OR grows.double OR grows.one THEN 0
    ELSE LEAST(s.limit_successes + tally.successes, ${SUCCESSES_FOR_ONE_MORE}) END,
  is_recovering = CASE WHEN begins.recovery THEN s.max_in_flight > 1 WHEN grows.double
    THEN s.in_flight_limit * 2 < s.max_in_flight ELSE s.is_recovering END,
  released_sequence = CASE WHEN s.released_sequence <= (SELECT max(sequence) FROM settled
    WHERE settled.subscription_id = s.id AND settled.status <> 'due')
    THEN NULL ELSE s.released_sequence END,
  troubled_dt = CASE
    WHEN tally.raises_events AND ${FAILURES_UNTIL_PROBING} <= tally.failures
      + CASE WHEN tally.successes > 0 THEN 0 ELSE s.consecutive_failures END
      THEN CASE WHEN recovers.now THEN clock_timestamp() ELSE COALESCE(s.troubled_dt, clock_timestamp()) END
    WHEN recovers.now THEN NULL ELSE s.troubled_dt END
FROM (${TALLY}) tally
JOIN subscription old ON old.id = tally.subscription_id
CROSS JOIN LATERAL (SELECT tally.successes > 0
  AND old.consecutive_failures >= ${FAILURES_UNTIL_PROBING} AS recovery) begins
CROSS JOIN LATERAL (SELECT tally.successes > 0
  AND old.troubled_dt IS NOT NULL AND old.disabled_dt IS NULL AS now) recovers
CROSS JOIN LATERAL (SELECT
  old.is_recovering AND tally.failures = 0 AND old.limit_successes + tally.successes >= old.in_flight_limit AS double,
  NOT old.is_recovering AND NOT tally.is_overloaded AND old.in_flight_limit < ${maxInFlight('old')}
    AND old.limit_successes + tally.successes >= ${SUCCESSES_FOR_ONE_MORE} AS one) grows
WHERE s.id = tally.subscription_id
RETURNING s.id, s.consecutive_failures >= $3
  AND s.first_failure_dt <= clock_timestamp() - make_interval(days => $4) AS is_failing,
  recovers.now AS is_recovered`;

/**
 * SQL that finishes many attempts in one statement.
 *
 * Parameters: $1 the rows; $2 the name of the worker; $3 failures and $4 days after which a subscription is disabled;
 * $5 and $6 the times of the first and the last event.
 *
 * The statement locks subscriptions first and in the order of their ids, like all other statements, to prevent
 * deadlocks.
 */
export const FINISH = `
WITH finished AS MATERIALIZED (${FINISHED}
), subscription AS MATERIALIZED (
  SELECT * FROM notification_subscriptions WHERE id = ANY(ARRAY(SELECT subscription_id FROM finished)) ORDER BY id
    FOR NO KEY UPDATE
), locked AS MATERIALIZED (
  SELECT count(*) FROM subscription
), logged AS (${LOG}
), settled AS (${SETTLE}
), counting AS MATERIALIZED (${COUNTING}
), counted AS (${COUNT}
)
SELECT (SELECT json_agg(json_build_object('delivery_id', delivery_id, 'attempt', attempt, 'status', status))
  FROM settled) AS settled,
  (SELECT array_agg(id) FROM counted WHERE is_failing) AS failing,
  (SELECT array_agg(id) FROM counted WHERE is_recovered) AS recovered,
  (SELECT json_agg(json_build_object('id', delivery_id, 'occurred', occurred_dt, 'subscriptionId', subscription_id))
    FROM settled WHERE status = 'exhausted' AND raises_events) AS exhausted`;
