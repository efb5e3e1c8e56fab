import { COUNTED_AT_MOST } from '@ats/domain';
import { type Database } from '@ats/postgres';
import { FAILURES_UNTIL_PROBING } from './finish-sql.js';

/** `open`: 5 straight failures or more. `recovering`: the first successes after that. Source: CONTRACT.md 8. */
export const BREAKER_STATES = ['closed', 'recovering', 'open', 'disabled'] as const;
export type BreakerState = (typeof BREAKER_STATES)[number];

/** What worries somebody at night. */
export const LATE_SECONDS = 900;

/** The subscriptions in one state. */
export interface Breaker {
  readonly state: BreakerState;
  readonly subscriptions: number;
  /** Those whose oldest due delivery has been due for more than {@link LATE_SECONDS}. */
  readonly late: number;
  /** Seconds for which the oldest due delivery of a subscription has been due; of 99 in 100 of them no longer than this. */
  readonly oldestDueP99: number;
  /** The same of that one which waits longest. */
  readonly oldestDueMax: number;
}

/**
 * The oldest due delivery of each subscription that has any. By going through all that is due, or, when that is much, from one
 * subscription to the next in the index over it; the subscriptions themselves are few, and read as a whole.
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
  SELECT CASE WHEN s.disabled_dt IS NOT NULL THEN 'disabled' WHEN s.consecutive_failures >= ${FAILURES_UNTIL_PROBING} THEN 'open'
      WHEN s.is_recovering THEN 'recovering' ELSE 'closed' END AS state,
    GREATEST(0, COALESCE(extract(epoch FROM clock_timestamp() - o.due_dt), 0))::double precision AS due_age
  FROM notification_subscriptions s LEFT JOIN oldest o ON o.subscription_id = s.id
)
SELECT state, count(*) AS subscriptions, count(*) FILTER (WHERE due_age > ${LATE_SECONDS}) AS late, max(due_age) AS "oldestDueMax",
  percentile_disc(0.99) WITHIN GROUP (ORDER BY due_age) AS "oldestDueP99"
FROM subscriptions GROUP BY state`;

/** One for each state, also for those in which no subscription is. */
export async function readBreakers(database: Database): Promise<readonly Breaker[]> {
  const rows = await database.counting.query<Breaker>({ text: BREAKERS, parameters: [] });
  return BREAKER_STATES.map(
    (state) =>
      rows.find((row) => row.state === state) ?? { state, subscriptions: 0, late: 0, oldestDueP99: 0, oldestDueMax: 0 },
  );
}
