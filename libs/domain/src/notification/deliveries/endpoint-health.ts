import { prepared, type ReadStatement } from '@ats/postgres';
import { STATS_PERIODS } from './endpoint-stats.js';
import { latencyQuantile, type LatencyHistogram } from './latency-histogram.js';

/** The largest backlog that is counted exactly: `item` for a single endpoint, `list` for each endpoint of a list. */
export const MAX_BACKLOG = { item: 100_000, list: 1_000 } as const;

/** The health of an endpoint, as clients read it. */
export interface EndpointHealth {
  readonly last_success_dt: string | null;
  readonly success_rate_1h: number | null;
  readonly success_rate_24h: number | null;
  readonly latency_p50_ms: number | null;
  readonly latency_p99_ms: number | null;
  readonly backlog: number;
  readonly disabled_dt: string | null;
  readonly disabled_reason: string | null;
}

/** The health of an endpoint that has no attempts. */
export const NO_HEALTH: EndpointHealth = {
  last_success_dt: null,
  success_rate_1h: null,
  success_rate_24h: null,
  latency_p50_ms: null,
  latency_p99_ms: null,
  backlog: 0,
  disabled_dt: null,
  disabled_reason: null,
};

const HOUR = { seconds: STATS_PERIODS['5m'].seconds, since: `now() - interval '1 hour'` };
const DAY = { seconds: STATS_PERIODS['1h'].seconds, since: `now() - interval '24 hours'` };

/** Returns SQL that counts attempts in the periods that began within the last hour or the last day. */
const attemptsIn = ({ seconds, since }: typeof HOUR | typeof DAY): string =>
  `SELECT COALESCE(sum(attempts) FILTER (WHERE cause = ''), 0)::bigint AS delivered,
    COALESCE(sum(attempts), 0)::bigint AS attempts
  FROM notification_endpoint_stats WHERE endpoint_id = e.id AND seconds = ${seconds} AND from_dt > ${since}`;

/**
 * SQL that finds pending deliveries of a subscription. The condition on each status must equal the condition of the
 * partial index of this status.
 */
const PENDING = [`status = 'due'`, `status IN ('queued', 'sending')`, `status = 'held'`]
  .map((status) => `SELECT FROM notification_deliveries WHERE subscription_id = n.id AND ${status}`)
  .join(' UNION ALL ');

/**
 * SQL for the messages that no client has acknowledged. It finds messages only of endpoints without a destination,
 * because clients read those from the feed.
 */
const UNREAD = `
SELECT FROM notification_endpoint_feeds f JOIN notification_endpoint_messages m
  ON m.endpoint_id = f.endpoint_id AND m.position > f.acknowledged_position
JOIN notification_subscriptions n ON n.id = m.subscription_id AND n.endpoint_id = e.id
WHERE f.endpoint_id = e.id AND streaming.is_streaming
UNION ALL
SELECT FROM notification_subscriptions n
LEFT JOIN notification_endpoint_marks k ON k.endpoint_id = e.id AND k.subscription_id = n.id
JOIN notification_deliveries d ON d.subscription_id = n.id AND d.sequence > COALESCE(k.sequence, 0)
WHERE n.endpoint_id = e.id AND streaming.is_streaming`;

/**
 * SQL for the health of endpoints. `$1` has the ids of the endpoints, and `$2` is the largest backlog that is counted
 * exactly.
 */
const HEALTH = `
SELECT e.id, own.*, hour.delivered AS "delivered1h", hour.attempts AS "attempts1h", day.delivered AS "delivered24h",
  day.attempts AS "attempts24h", latency.histogram, pending.backlog
FROM unnest($1::bigint[]) AS e (id)
CROSS JOIN LATERAL (
  SELECT max(last_success_dt) AS "lastSuccess",
    CASE WHEN bool_and(disabled_dt IS NOT NULL) THEN max(disabled_dt) END AS "disabled",
    CASE WHEN bool_and(disabled_dt IS NOT NULL)
      THEN (array_agg(disabled_reason ORDER BY disabled_dt DESC, id DESC))[1] END AS "disabledReason"
  FROM notification_subscriptions WHERE endpoint_id = e.id
) own
CROSS JOIN LATERAL (${attemptsIn(HOUR)}) hour
CROSS JOIN LATERAL (${attemptsIn(DAY)}) day
CROSS JOIN LATERAL (
  SELECT array_agg(total ORDER BY bucket) AS histogram FROM (
    SELECT bucket, sum(successes)::integer AS total
    FROM notification_endpoint_stats s CROSS JOIN LATERAL unnest(s.latencies) WITH ORDINALITY AS l (successes, bucket)
    WHERE s.endpoint_id = e.id AND s.cause = ''
      AND s.seconds = CASE WHEN hour.delivered > 0 THEN ${HOUR.seconds} ELSE ${DAY.seconds} END
      AND s.from_dt > CASE WHEN hour.delivered > 0 THEN ${HOUR.since} ELSE ${DAY.since} END
    GROUP BY bucket
  ) summed
) latency
CROSS JOIN LATERAL (
  SELECT EXISTS (SELECT FROM notification_endpoints o WHERE o.id = e.id AND o.destination_url IS NULL) AS is_streaming
) streaming
CROSS JOIN LATERAL (
  SELECT count(*) AS backlog FROM (
    (SELECT FROM notification_subscriptions n CROSS JOIN LATERAL (${PENDING}) d
      WHERE n.endpoint_id = e.id AND NOT streaming.is_streaming) UNION ALL (${UNREAD}) LIMIT $2
  ) counted
) pending`;

/**
 * The statement is prepared, because deliveries have a partition for each day: planning takes longer than reading one
 * endpoint.
 */
const STATEMENT = prepared(HEALTH);

interface HealthRow {
  readonly id: number;
  readonly lastSuccess: Date | null;
  readonly disabled: Date | null;
  readonly disabledReason: string | null;
  readonly delivered1h: number;
  readonly attempts1h: number;
  readonly delivered24h: number;
  readonly attempts24h: number;
  readonly histogram: LatencyHistogram | null;
  readonly backlog: number;
}

/**
 * Reads the health of endpoints in one statement. An endpoint that does not exist has the health of an endpoint without
 * attempts.
 * @param maxBacklog  the largest backlog that is counted exactly
 * @returns the health of each endpoint by its id
 * Source: docs/reference/notifications.md, "Health of an endpoint".
 */
export async function readEndpointHealth(
  read: (statement: ReadStatement) => Promise<readonly HealthRow[]>,
  ids: readonly number[],
  maxBacklog: number,
): Promise<ReadonlyMap<number, EndpointHealth>> {
  if (ids.length === 0) return new Map();
  const rows = await read({ ...STATEMENT, parameters: [ids, maxBacklog] });
  return new Map(rows.map((row) => [row.id, toHealth(row)]));
}

const toHealth = (row: HealthRow): EndpointHealth => ({
  last_success_dt: row.lastSuccess?.toISOString() ?? null,
  success_rate_1h: successRate(row.delivered1h, row.attempts1h),
  success_rate_24h: successRate(row.delivered24h, row.attempts24h),
  latency_p50_ms: latencyQuantile(row.histogram ?? [], 0.5),
  latency_p99_ms: latencyQuantile(row.histogram ?? [], 0.99),
  backlog: row.backlog,
  disabled_dt: row.disabled?.toISOString() ?? null,
  disabled_reason: row.disabledReason,
});

/** Returns the share of successful attempts, rounded down. So it is 1 only when no attempt has failed. */
const successRate = (delivered: number, attempts: number): number | null =>
  attempts === 0 ? null : Math.floor((delivered * 1_000) / attempts) / 1_000;
