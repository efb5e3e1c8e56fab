import { type Database } from '@ats/postgres';
import { type DeliveryJob } from '../../queues/queues.js';
import { boundsOf } from './batches.js';
import { type EndpointSecrets, type SecretsJson, secretsSql, toSecrets } from './endpoint-secrets.js';
import { LEASE_SECONDS, NO_MARKS } from '../../loops/low-water-marks.js';
import { BEGIN_PLANNED, dedicatedTransaction, hasStatus } from '../../loops/planned-transaction.js';

/**
 * Greatest time in ms from a claim to the start of its request, so that the request ends before the lease does. A
 * process that was frozen for longer does not send the message: another process may have sent it, and the throttle no
 * longer counts this attempt.
 */
export const SEND_WITHIN_MS = (LEASE_SECONDS - 15) * 1_000;

/** The cause of an attempt. A test message (`ping`) has one attempt, which does not count for its subscription. */
export type AttemptReason = 'auto' | 'manual' | 'recover' | 'ping';

export interface ClaimedDelivery {
  readonly id: number;
  readonly occurred_dt: Date;
  readonly event_id: number | null;
  /** The type of the event, or `PING` for a test message. */
  readonly type: string;
  readonly request_id: string | null;
  readonly traceparent: string | null;
  readonly subscription_id: number;
  readonly subject_type: string | null;
  readonly subject_id: number | null;
  /** The endpoint of the subscription at the start of the attempt. Its keys sign the message. */
  readonly endpoint_id: number;
  readonly message_id: string;
  readonly sequence: number;
  readonly body: string;
  /** Number of this attempt, from 1. */
  readonly attempts: number;
  /** Number of failed attempts before this one. */
  readonly failures: number;
  readonly reason: AttemptReason;
  /** Null when the endpoint has lost its destination. Nothing is sent then. */
  readonly destination_url: string | null;
  /**
   * Start of the attempt by the clock of the database. This time decides which keys sign, and is a part of the
   * signature.
   */
  readonly claimed_dt: Date;
  /** The time by `performance.now()` before this process asked for the claim. */
  readonly claimedAt: number;
  readonly secrets: EndpointSecrets;
  /**
   * Random token of this claim. A row that another worker has claimed meanwhile has another token. All deliveries of a
   * chain have the same token.
   */
  readonly lease_token: string;
  /** True when more deliveries of the subscription were due when this one was claimed. */
  readonly has_more: boolean;
  /** True when the endpoint gets its messages in JSON arrays. */
  readonly is_batch: boolean;
}

/**
 * The result of a claim for a job of an endpoint with a batch. The message of the job is not claimed yet, see
 * `claimBatch`.
 */
export type BatchLeader = 'batch';

export interface Claim {
  readonly job: DeliveryJob;
  readonly token: string;
}

/** The columns of a claimed row `d` that an attempt needs. */
export const CLAIMED_COLUMNS = `d.id, d.occurred_dt, d.event_id, d.request_id, d.traceparent, d.subscription_id,
    d.subject_type, d.subject_id, d.message_id, d.sequence, d.body, d.attempts, d.failures, d.reason, d.lease_token`;

export interface ClaimedRow extends Omit<ClaimedDelivery, 'secrets' | 'claimedAt'> {
  readonly secrets: SecretsJson;
}

/**
 * SQL for the type of the event. For an event that is no longer stored, the SQL returns the event type of the topic.
 */
export const TYPE = `CASE WHEN c.event_id IS NULL THEN 'PING' ELSE COALESCE(
  (SELECT e.type FROM domain_events e WHERE e.id = c.event_id),
  (SELECT t.type FROM notification_subscriptions s JOIN notification_topics t ON t.id = s.topic_id
    WHERE s.id = c.subscription_id)) END`;

/**
 * SQL that claims the rows that are still queued for exactly these jobs. It never waits: a row that another transaction
 * has locked is skipped, and the sweeper requeues it if necessary. A message of an endpoint with a batch is not
 * claimed; its row has only a `batch_token`. The bounds $6 and $7 limit the query to the partitions of the events. $9
 * is the low-water mark of due times.
 */
const CLAIM = `
WITH job AS (
  SELECT * FROM unnest($1::bigint[], $2::timestamptz[], $3::integer[], $4::uuid[], $8::integer[]) AS given (id,
    occurred_dt, attempts, token, requeues)
), free AS (
  SELECT d.id, d.occurred_dt, job.token, s.destination_url, s.endpoint_id, e.batch_max IS NOT NULL AS is_batch,
    d.event_id IS NULL AS is_ping
  FROM job
  JOIN notification_deliveries d ON d.id = job.id AND d.occurred_dt = job.occurred_dt AND d.attempts = job.attempts
    AND d.requeues = job.requeues
  JOIN notification_subscriptions s ON s.id = d.subscription_id AND (s.disabled_dt IS NULL OR d.event_id IS NULL)
  LEFT JOIN notification_endpoints e ON e.id = s.endpoint_id
  WHERE d.id = ANY($1) AND d.occurred_dt BETWEEN $6 AND $7 AND ${hasStatus('d', 'queued')}
  FOR NO KEY UPDATE OF d SKIP LOCKED
), claimed AS (
  UPDATE notification_deliveries d
  SET status = 'sending', attempts = d.attempts + 1, queued_dt = NULL,
    lease_token = free.token, lease_worker = $5,
      lease_until_dt = clock_timestamp() + interval '${LEASE_SECONDS} seconds'
  FROM free
  WHERE (NOT free.is_batch OR free.is_ping) AND d.id = free.id AND d.occurred_dt = free.occurred_dt
    AND d.occurred_dt BETWEEN $6 AND $7
  RETURNING ${CLAIMED_COLUMNS}, free.destination_url, free.endpoint_id, free.is_batch
)
SELECT c.*, ${TYPE} AS type, date_trunc('milliseconds', clock_timestamp()) AS claimed_dt, ${secretsSql('c.endpoint_id')} AS secrets,
  EXISTS (SELECT FROM notification_deliveries due WHERE due.subscription_id = c.subscription_id AND due.status = 'due'
    AND due.next_attempt_dt >= $9 AND due.next_attempt_dt <= now() AND due.event_id IS NOT NULL) AS has_more,
  leader.token AS batch_token
FROM claimed c FULL JOIN (SELECT token FROM free WHERE is_batch AND NOT is_ping) leader ON leader.token = c.lease_token`;

/**
 * Claims deliveries, each for one attempt. When several jobs name the same delivery, only one of them gets the claim.
 * @param worker  number of this worker, see `WorkerHeartbeat`
 * @returns the deliveries in the order of the claims; null when the job is out of date or the row is already claimed
 */
export async function claimDeliveries(
  database: Database,
  claims: readonly Claim[],
  worker: number,
  marks = NO_MARKS,
): Promise<readonly (ClaimedDelivery | BatchLeader | null)[]> {
  const days = claims.map(({ job }) => job.occurred);
  const claimedAt = performance.now();
  const { rows } = await dedicatedTransaction(database, { name: 'claims', begin: BEGIN_PLANNED }, (client) =>
    client.query<ClaimedRow & { readonly batch_token: string | null }>({
      name: 'claim-deliveries',
      text: CLAIM,
      values: [
        claims.map(({ job }) => job.deliveryId),
        days.map((day) => new Date(day)),
        claims.map(({ job }) => job.attempts),
        claims.map(({ token }) => token),
        worker,
        ...boundsOf(days),
        claims.map(({ job }) => job.requeues),
        marks.due,
      ],
    }),
  );
  const byToken = new Map<string, ClaimedDelivery | BatchLeader>();
  for (const { batch_token: token, ...row } of rows)
    if (token === null) byToken.set(row.lease_token, { ...row, claimedAt, secrets: toSecrets(row.secrets) });
    else byToken.set(token, 'batch');
  return claims.map(({ token }) => byToken.get(token) ?? null);
}
