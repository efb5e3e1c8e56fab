import { type Database } from '@ats/postgres';
import { type Claim, CLAIMED_COLUMNS, type ClaimedDelivery, type ClaimedRow, TYPE } from './claimed-deliveries.js';
import { secretsSql, toSecrets } from './endpoint-secrets.js';
import { BEGIN_CLAIM, subjectOf } from './follower-deliveries.js';
import { LEASE_SECONDS, NO_MARKS } from '../../loops/low-water-marks.js';
import { hasStatus, plannedTransaction } from '../../loops/planned-transaction.js';
import { hasMovedSql, isSubjectBusySql, waitsBehindSql } from './subject-order.js';

/** Number of due rows of a subscription that are searched for further messages of a batch. */
const LOOK_AHEAD = 300;

/**
 * SQL that claims a queued delivery (the leader) and further due deliveries of its subscription for one attempt.
 *
 * - All these deliveries get the same lease token, so that a batch uses one slot and counts once for a throttle.
 * - A due delivery is left out while another delivery about its subject is queued or running, or while an earlier
 *   delivery about its subject waits for a retry. With strict ordering, all messages behind a message that waits for a
 *   retry are left out.
 * - The leader is queued until this statement, so the due poller picks no second leader.
 *
 * Parameters: $1 id, $2 time, $3 attempts and $4 requeues of the leader; $5 the token; $6 the number of the worker;
 * $7 the low-water mark of due times. The statement ignores the mark while the subscription releases held deliveries.
 */
const CLAIM_BATCH = `
WITH leader AS MATERIALIZED (
  SELECT d.id, d.occurred_dt, d.subscription_id, ${subjectOf('d')} AS subject, s.destination_url, s.endpoint_id,
    CASE WHEN s.released_sequence IS NULL THEN $7::timestamptz ELSE '-infinity' END AS mark,
    e.batch_max, e.ordering, (SELECT min(w.id) FROM notification_deliveries w
      WHERE e.ordering = 'strict' AND w.status = 'due' AND w.subscription_id = s.id AND w.next_attempt_dt > now()
        AND w.event_id IS NOT NULL) AS waiting_id, e.ordering = 'subject' AND ${hasMovedSql('s.id')} AS has_moved
  FROM notification_deliveries d
  JOIN notification_subscriptions s ON s.id = d.subscription_id AND s.disabled_dt IS NULL
  JOIN notification_endpoints e ON e.id = s.endpoint_id
  WHERE d.id = $1 AND d.occurred_dt = $2 AND d.attempts = $3 AND d.requeues = $4 AND ${hasStatus('d', 'queued')}
    AND d.event_id IS NOT NULL
  FOR NO KEY UPDATE OF d SKIP LOCKED
), look AS MATERIALIZED (
  SELECT d.*, CASE l.ordering WHEN 'subject' THEN d.subject ELSE '' END AS part, l.batch_max, l.ordering, l.has_moved
  FROM leader l CROSS JOIN LATERAL (
    SELECT d.id, d.occurred_dt, d.subscription_id, d.subject_type, d.subject_id, ${subjectOf('d')} AS subject
    FROM notification_deliveries d
    WHERE d.status = 'due' AND d.subscription_id = l.subscription_id AND d.next_attempt_dt >= l.mark
      AND d.next_attempt_dt <= now()
      AND d.event_id IS NOT NULL
    ORDER BY d.next_attempt_dt, d.id LIMIT ${LOOK_AHEAD}) d
  WHERE (l.waiting_id IS NULL OR d.id < l.waiting_id) AND (l.ordering = 'none' OR d.subject = l.subject OR NOT ${isSubjectBusySql('d')})
), unblocked AS MATERIALIZED (
  SELECT * FROM look d
  WHERE NOT (d.has_moved AND ${waitsBehindSql('d', 'earlier.id NOT IN (SELECT id FROM look)')})
), locked AS MATERIALIZED (
  SELECT d.id FROM unblocked c JOIN notification_deliveries d ON d.id = c.id AND d.occurred_dt = c.occurred_dt
  WHERE ${hasStatus('d', 'due')} FOR NO KEY UPDATE OF d SKIP LOCKED
), next AS (
  SELECT id, occurred_dt, ordering = 'none' AND id IN (SELECT id FROM locked)
    OR bool_and(id IN (SELECT id FROM locked)) OVER (PARTITION BY part ORDER BY id) AS is_next
  FROM unblocked
), member AS MATERIALIZED (
  SELECT id, occurred_dt FROM leader
  UNION ALL (SELECT id, occurred_dt FROM next WHERE is_next ORDER BY id
    LIMIT (SELECT COALESCE(batch_max, 1) - 1 FROM leader))
), c AS (
  UPDATE notification_deliveries d
  SET status = 'sending', attempts = d.attempts + 1, queued_dt = NULL, lease_token = $5,
    lease_worker = $6, lease_until_dt = clock_timestamp() + interval '${LEASE_SECONDS} seconds'
  FROM member m WHERE d.id = m.id AND d.occurred_dt = m.occurred_dt
  RETURNING ${CLAIMED_COLUMNS}
)
SELECT c.*, ${TYPE} AS type, date_trunc('milliseconds', clock_timestamp()) AS claimed_dt, l.destination_url,
  l.endpoint_id, ${secretsSql('l.endpoint_id')} AS secrets, false AS has_more, l.batch_max IS NOT NULL AS is_batch
FROM c CROSS JOIN leader l ORDER BY c.sequence`;

/**
 * Claims the messages of one batch. The message of the job is one of them.
 * @returns the messages in the order of their sequence; empty when the job is out of date
 */
export async function claimBatch(
  database: Database,
  { job, token }: Claim,
  worker: number,
  marks = NO_MARKS,
): Promise<readonly ClaimedDelivery[]> {
  return plannedTransaction(database, BEGIN_CLAIM, async (client) => {
    const claimedAt = performance.now();
    const { rows } = await client.query<ClaimedRow>({
      name: 'claim-batch',
      text: CLAIM_BATCH,
      values: [job.deliveryId, new Date(job.occurred), job.attempts, job.requeues, token, worker, marks.due],
    });
    return rows.map((row) => ({ ...row, claimedAt, secrets: toSecrets(row.secrets) }));
  });
}
