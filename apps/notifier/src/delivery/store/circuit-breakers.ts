import { COUNTED_AT_MOST } from '@ats/domain';
import { type Database } from '@ats/postgres';
import { FAILURES_UNTIL_PROBING } from './finish-sql.js';

/**
 * The states of a circuit breaker. It is `open` after 5 consecutive failures. It is `recovering` from the next success
 * until the concurrency limit has its full value again.
 */
export const BREAKER_STATES = ['closed', 'recovering', 'open', 'disabled'] as const;
export type BreakerState = (typeof BREAKER_STATES)[number];

/** Time in seconds after which a due delivery is late. An alert reports late deliveries. */
export const LATE_SECONDS = 900;

/** Figures about the subscriptions whose circuit breakers have the same state. */
export interface Breaker {
  readonly state: BreakerState;
  readonly subscriptions: number;
  /** Number of subscriptions whose oldest due delivery is older than {@link LATE_SECONDS}. */
  readonly late: number;
  /** The 99th percentile, over these subscriptions, of the age of the oldest due delivery in seconds. */
  readonly oldestDueP99: number;
  /** The age in seconds of the oldest due delivery of all these subscriptions. */
  readonly oldestDueMax: number;
}

/**
 * SQL that reads the age of the oldest due delivery of each subscription. When few rows are due, the SQL reads all
 * these rows. When many rows are due, it uses an index to read only the oldest row of each subscription. It reads all
 * subscriptions, because there are few.
 */
export const BREAKERS = `
WITH RECURSIVE due AS (
  SELECT count(*) AS n FROM (SELECT FROM notification_deliveries WHERE status = 'due' LIMIT ${COUNTED_AT_MOST}) d
), first_of_each AS (
  (SELECT subscription_id, next_attempt_dt FROM notification_deliveries
   WHERE status = 'due' AND (SELECT n = ${COUNTED_AT_MOST} FROM due) ORDER BY subscription_id, next_attempt_dt LIMIT 1)
  UNION ALL
  SELECT d.* FROM first_of_each f CROSS JOIN LATERAL (
    SELECT subscription_id, next_attempt_dt FROM notification_deliveries
    WHERE status = 'due' AND subscription_id > f.subscription_id ORDER BY subscription_id, next_attempt_dt LIMIT 1) d
), oldest AS (
  SELECT subscription_id, min(next_attempt_dt) AS due_dt FROM notification_deliveries
  WHERE status = 'due' AND (SELECT n < ${COUNTED_AT_MOST} FROM due) GROUP BY subscription_id
  UNION ALL
  SELECT subscription_id, next_attempt_dt FROM first_of_each
), subscriptions AS (
  SELECT CASE WHEN s.disabled_dt IS NOT NULL THEN 'disabled' WHEN s.consecutive_failures >= ${FAILURES_UNTIL_PROBING}
    THEN 'open'
      WHEN s.is_recovering THEN 'recovering' ELSE 'closed' END AS state,
    GREATEST(0, COALESCE(extract(epoch FROM clock_timestamp() - o.due_dt), 0))::double precision AS due_age
  FROM notification_subscriptions s LEFT JOIN oldest o ON o.subscription_id = s.id
)
SELECT state, count(*) AS subscriptions, count(*) FILTER (WHERE due_age > ${LATE_SECONDS}) AS late,
  max(due_age) AS "oldestDueMax",
  percentile_disc(0.99) WITHIN GROUP (ORDER BY due_age) AS "oldestDueP99"
FROM subscriptions GROUP BY state`;

/** Reads the circuit breakers. The result has an entry for each state, even without subscriptions in that state. */
export async function readBreakers(database: Database): Promise<readonly Breaker[]> {
  const rows = await database.counting.query<Breaker>({ text: BREAKERS, parameters: [] });
  return BREAKER_STATES.map(
    (state) =>
      rows.find((row) => row.state === state) ?? { state, subscriptions: 0, late: 0, oldestDueP99: 0, oldestDueMax: 0 },
  );
}
