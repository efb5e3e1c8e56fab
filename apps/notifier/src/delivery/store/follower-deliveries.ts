import { ADVISORY_LOCKS, type Database, runStatement } from '@ats/postgres';
import { CLAIMED_COLUMNS, type ClaimedDelivery, TYPE } from './claimed-deliveries.js';
import { maxInFlight } from './finish-sql.js';
import { LEASE_SECONDS, type Marks, NO_MARKS } from '../../loops/low-water-marks.js';
import { BEGIN_PLANNED, dedicatedTransaction, hasStatus } from '../../loops/planned-transaction.js';
import { hasMovedSql, waitsBehindSql } from './subject-order.js';

/** Time in ms that all followers of a chain should take together, so that other subscriptions soon get the slot. */
export const CHAIN_MS = 500;
/** Maximum number of followers of one chain. */
export const MAX_FOLLOWERS = 100;
/** Maximum number of followers that one statement claims. `CHAINS_AT_ONCE` is the maximum number of their chains. */
const ROWS_AT_ONCE = 600;
export const CHAINS_AT_ONCE = 50;
/** Assumed latency of a subscription whose latency is not known yet. */
const UNKNOWN_LATENCY_MS = 50;

/** SQL for a text that identifies the subject of a delivery. */
export const subjectOf = (d: string): string => `${d}.subject_type || ' ' || ${d}.subject_id`;

/**
 * SQL that begins a claim. The SQL takes the lock of the due poller in shared mode, so that claims and the poller see
 * each other's changes.
 */
export const BEGIN_CLAIM = `${BEGIN_PLANNED};
SELECT pg_advisory_xact_lock_shared(${ADVISORY_LOCKS.duePoller})`;

/**
 * SQL for locks that let only one notifier at a time claim followers of a subscription. A statement after these locks
 * sees what other notifiers have claimed. The order of the keys prevents deadlocks.
 */
const LOCK = `SELECT pg_advisory_xact_lock(${ADVISORY_LOCKS.followers}, key) FROM (
  SELECT DISTINCT (id % 2147483647)::integer AS key FROM unnest($1::bigint[]) AS given (id) ORDER BY key) AS keys`;

/**
 * SQL that claims due deliveries as followers of deliveries that are being sent (the leaders). It serves healthy
 * subscriptions whose order and rate allow followers.
 *
 * - A chain sends one delivery at a time and uses one slot, so followers do not change any limit.
 * - All deliveries about a subject are in one chain, in order. A subject with a delivery that is queued or running
 *   elsewhere gets no follower. A subject gets no follower either when an earlier delivery about it is locked or not
 *   due yet.
 * - The busy subjects are read once for each subscription. A look-up for each delivery could read all running
 *   deliveries each time.
 * - The lease of a follower begins when its turn is expected, so a chain is not hanging while it makes progress.
 * - Followers go to the destination and the endpoint that their leader was claimed with.
 *
 * Parameters: $1 tokens, $2 subscriptions, $3 ids, $4 times, $5 destinations and $6 endpoints of the leaders; $7 the
 * number of the worker; $8 the low-water mark of due times; $9 the paces of the leaders in ms.
 */
export const CLAIM_FOLLOWERS = `
WITH leader AS (
  SELECT given.*, ${subjectOf('d')} AS subject
  FROM unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::timestamptz[], $5::text[], $6::bigint[], $9::integer[])
    AS given (token, subscription_id, id, occurred_dt, destination_url, endpoint_id, pace_ms)
  JOIN notification_deliveries d ON d.id = given.id AND d.occurred_dt = given.occurred_dt
    AND d.lease_token = given.token AND ${hasStatus('d', 'sending')}
), chains AS (
  SELECT subscription_id, array_agg(token ORDER BY id) AS tokens, array_agg(subject ORDER BY id) AS subjects,
    array_agg(destination_url) AS destinations, array_agg(endpoint_id) AS endpoints, count(*)::integer AS n,
    max(pace_ms) AS known_pace_ms
  FROM leader GROUP BY subscription_id
), subscription AS MATERIALIZED (
  SELECT s.id, l.*, GREATEST(COALESCE(s.average_latency_ms, ${UNKNOWN_LATENCY_MS}), l.known_pace_ms, 1) AS pace_ms,
    e.ordering <> 'none' AND ${hasMovedSql('s.id')} AS has_moved, ARRAY(
      SELECT ${subjectOf('other')} FROM notification_deliveries other
      WHERE other.subscription_id = s.id AND other.status IN ('queued', 'sending') AND ${subjectOf('other')} IS NOT NULL
        AND COALESCE(other.lease_token <> l.tokens[array_position(l.subjects, ${subjectOf('other')})], true)
    ) AS busy_subjects
  FROM chains l
  JOIN notification_subscriptions s ON s.id = l.subscription_id AND s.disabled_dt IS NULL AND s.consecutive_failures = 0
    AND NOT s.is_recovering AND s.in_flight_limit >= ${maxInFlight('s')} AND s.released_sequence IS NULL
    AND NOT EXISTS (SELECT FROM notification_backlogs b WHERE b.subscription_id = s.id)
    AND s.destination_url = ALL (l.destinations) AND s.endpoint_id = ALL (l.endpoints)
  JOIN notification_endpoints e ON e.id = s.endpoint_id AND e.ordering <> 'strict' AND e.throttle_limit IS NULL
    AND e.batch_max IS NULL
), candidate AS MATERIALIZED (
  SELECT d.*, s.pace_ms, s.has_moved, s.tokens[COALESCE(array_position(s.subjects, d.subject),
    1 + dense_rank() OVER (PARTITION BY d.subscription_id ORDER BY d.subject)::integer % s.n)] AS token
  FROM subscription s CROSS JOIN LATERAL (
    SELECT d.id, d.occurred_dt, d.subscription_id, d.subject_type, d.subject_id, d.next_attempt_dt,
      ${subjectOf('d')} AS subject
    FROM notification_deliveries d
    WHERE d.status = 'due' AND d.subscription_id = s.id AND d.next_attempt_dt >= $8 AND d.next_attempt_dt <= now()
      AND d.event_id IS NOT NULL
    ORDER BY d.next_attempt_dt, d.id
    LIMIT s.n * LEAST(${MAX_FOLLOWERS}, (${CHAIN_MS} / s.pace_ms)::integer, ${ROWS_AT_ONCE} / cardinality($1))) d
  WHERE (d.subject = ANY (s.busy_subjects)) IS NOT TRUE
), unblocked AS MATERIALIZED (
  SELECT * FROM candidate d
  WHERE NOT (d.has_moved AND ${waitsBehindSql('d', 'earlier.id NOT IN (SELECT id FROM candidate)')})
), locked AS MATERIALIZED (
  SELECT d.id FROM unblocked c JOIN notification_deliveries d ON d.id = c.id AND d.occurred_dt = c.occurred_dt
  WHERE ${hasStatus('d', 'due')} FOR NO KEY UPDATE OF d SKIP LOCKED
), next AS (
  SELECT *, bool_and(id IN (SELECT id FROM locked)) OVER (
    PARTITION BY subscription_id, subject ORDER BY id) AS is_next FROM unblocked
), placed AS MATERIALIZED (
  SELECT id, occurred_dt, token, pace_ms, row_number() OVER (PARTITION BY token ORDER BY id) AS position
  FROM next WHERE is_next
), c AS (
  UPDATE notification_deliveries d
  SET status = 'sending', attempts = d.attempts + 1, lease_token = p.token, lease_worker = $7,
    lease_until_dt = clock_timestamp() + interval '${LEASE_SECONDS} seconds'
      + LEAST(p.position * p.pace_ms, ${CHAIN_MS}) * interval '1 millisecond'
  FROM placed p WHERE d.id = p.id AND d.occurred_dt = p.occurred_dt
  RETURNING ${CLAIMED_COLUMNS}, p.position
)
SELECT c.*, ${TYPE} AS type, date_trunc('milliseconds', clock_timestamp()) AS claimed_dt FROM c ORDER BY c.position`;

/** A delivery that gets followers. */
export interface Leader extends ClaimedDelivery {
  /** The pace of the subscription in this process. The average latency of attempts is used when it is greater. */
  readonly pace_ms?: number;
}

/** Returns true for a delivery that may have followers. */
export const mayLead = ({ has_more: hasMore, event_id: eventId }: ClaimedDelivery): boolean =>
  hasMore && eventId !== null;

/**
 * Claims the followers of deliveries that this worker has just claimed.
 * @returns the followers of each leader, in the order in which they must be sent
 */
export async function claimFollowers(
  database: Database,
  leaders: readonly Leader[],
  worker: number,
  marks = NO_MARKS,
): Promise<readonly (readonly ClaimedDelivery[])[]> {
  const { rows, claimedAt } = await claimRows(database, leaders, worker, marks);
  const chains = new Map<string, ClaimedDelivery[]>();
  const byToken = new Map(leaders.map((leader) => [leader.lease_token, leader]));
  for (const row of rows) {
    const leader = byToken.get(row.lease_token);
    if (!leader) continue;
    const { destination_url, endpoint_id, secrets } = leader;
    const chain = chains.get(row.lease_token) ?? [];
    chains.set(row.lease_token, chain);
    chain.push({ ...row, destination_url, endpoint_id, secrets, has_more: false, is_batch: false, claimedAt });
  }
  return leaders.map((leader) => chains.get(leader.lease_token) ?? []);
}

type FollowerRow = Omit<
  ClaimedDelivery,
  'destination_url' | 'endpoint_id' | 'secrets' | 'has_more' | 'is_batch' | 'claimedAt'
>;

async function claimRows(
  database: Database,
  leaders: readonly Leader[],
  worker: number,
  marks: Marks,
): Promise<{ readonly rows: readonly FollowerRow[]; readonly claimedAt: number }> {
  // This time is read before the claim. If the process is frozen during the claim, the leases of the followers must not
  // look new afterwards.
  const claimedAt = performance.now();
  return dedicatedTransaction(database, { name: 'followers', begin: BEGIN_CLAIM }, async (client) => {
    const locked = client.query(LOCK, [leaders.map(({ subscription_id: id }) => id)]);
    const claimed = client.query<FollowerRow>({
      name: 'claim-followers',
      text: CLAIM_FOLLOWERS,
      values: [
        leaders.map(({ lease_token: token }) => token),
        leaders.map(({ subscription_id: id }) => id),
        leaders.map(({ id }) => id),
        leaders.map(({ occurred_dt: occurred }) => occurred),
        leaders.map(({ destination_url: url }) => url),
        leaders.map(({ endpoint_id: id }) => id),
        worker,
        marks.due,
        leaders.map(({ pace_ms: paceMs = 0 }) => paceMs),
      ],
    });
    const [, { rows }] = await Promise.all([locked, claimed]);
    return { rows, claimedAt };
  });
}

/**
 * Makes followers that were not sent due again. A follower that another worker has claimed meanwhile does not change.
 * Subscriptions are locked before deliveries and in the order of their ids, like in all other statements.
 */
export async function releaseFollowers(database: Database, followers: readonly ClaimedDelivery[]): Promise<void> {
  if (followers.length === 0) return;
  await database.transaction(async (transaction) => {
    await runStatement(
      transaction,
      'SELECT id FROM notification_subscriptions WHERE id = ANY($1) ORDER BY id FOR SHARE',
      [[...new Set(followers.map(({ subscription_id: id }) => id))]],
    );
    await runStatement(transaction, RELEASE, [
      followers.map(({ id }) => id),
      followers.map(({ occurred_dt: occurred }) => occurred),
      followers.map(({ lease_token: token }) => token),
    ]);
  });
}

/**
 * SQL that releases followers. Followers keep their due times. They get their former number of attempts again, because
 * no attempt was made.
 */
const RELEASE = `
UPDATE notification_deliveries d SET
  status = CASE WHEN s.id IS NULL THEN 'cancelled' WHEN s.disabled_dt IS NOT NULL THEN 'held' ELSE 'due' END,
  next_attempt_dt = CASE WHEN s.id IS NOT NULL AND s.disabled_dt IS NULL THEN d.next_attempt_dt END,
  finished_dt = CASE WHEN s.id IS NULL THEN clock_timestamp() END,
  attempts = d.attempts - 1, lease_token = NULL, lease_until_dt = NULL, lease_worker = NULL
FROM unnest($1::bigint[], $2::timestamptz[], $3::uuid[]) AS f (id, occurred_dt, token)
JOIN notification_deliveries old ON old.id = f.id AND old.occurred_dt = f.occurred_dt
LEFT JOIN notification_subscriptions s ON s.id = old.subscription_id
WHERE d.id = f.id AND d.occurred_dt = f.occurred_dt AND d.lease_token = f.token AND ${hasStatus('d', 'sending')}`;
