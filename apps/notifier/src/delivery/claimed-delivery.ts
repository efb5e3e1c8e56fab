import { type Database, type SealedKey } from '@ats/domain';

/** How long a claim holds without an end: more than one attempt with the writing of its result can take. */
export const LEASE_SECONDS = 45;

export interface ClaimedDelivery {
  readonly id: number;
  readonly occurred_dt: Date;
  readonly subscription_id: number;
  readonly message_id: string;
  readonly sequence: number;
  readonly body: string;
  /** Number of this attempt, from 1. */
  readonly attempts: number;
  /** Failed attempts before this one. */
  readonly failures: number;
  readonly destination_url: string;
  /** By the clock of the database, the same for all processes: decides which key signs, and is signed. */
  readonly claimed_dt: Date;
  readonly keys: readonly SealedKey[];
}

interface ClaimedRow extends Omit<ClaimedDelivery, 'keys'> {
  readonly keys: readonly { readonly sealed: string; readonly activeFrom: number; readonly expires: number | null }[] | null;
}

const CLAIM = `
WITH claimed AS (
  UPDATE notification_deliveries d
  SET status = 'sending', attempts = d.attempts + 1, next_attempt_dt = NULL, queued_dt = NULL,
    lease_token = $3, lease_worker = $4, lease_until_dt = clock_timestamp() + interval '${LEASE_SECONDS} seconds'
  FROM notification_subscriptions s
  WHERE d.id = $1 AND d.attempts = $2 AND s.id = d.subscription_id
    AND (d.status = 'queued' OR (d.status = 'due' AND d.next_attempt_dt <= clock_timestamp()))
  RETURNING d.id, d.occurred_dt, d.subscription_id, d.message_id, d.sequence, d.body, d.attempts, d.failures, s.destination_url
), started AS (
  INSERT INTO notification_attempts (occurred_dt, delivery_id, attempt, reason, state, url, worker)
  SELECT occurred_dt, id, attempts, 'auto', 'started', destination_url, $5 FROM claimed
)
SELECT c.*, date_trunc('milliseconds', clock_timestamp()) AS claimed_dt, (
  SELECT json_agg(json_build_object(
    'sealed', encode(k.sealed_key, 'base64'),
    'activeFrom', (extract(epoch FROM k.active_from_dt) * 1000)::bigint,
    'expires', (extract(epoch FROM k.expires_dt) * 1000)::bigint) ORDER BY k.active_from_dt, k.id)
  FROM notification_subscription_keys k WHERE k.subscription_id = c.subscription_id) AS keys
FROM claimed c`;

export interface Claimant {
  /** Number under which this process shows that it lives. */
  readonly worker: number;
  /** Name for the attempt log. */
  readonly workerName: string;
}

/**
 * Takes a delivery for one attempt, by comparing and setting: of any number of jobs for it, one gets it.
 * @returns null when it is taken, finished, held, cancelled or further on: then there is nothing to do
 */
export async function claimDelivery(
  database: Database,
  job: { readonly deliveryId: number; readonly attempts: number },
  { token, worker, workerName }: Claimant & { readonly token: string },
): Promise<ClaimedDelivery | null> {
  const [row] = await database.query<ClaimedRow>(CLAIM, [job.deliveryId, job.attempts, token, worker, workerName]);
  if (!row) return null;
  const keys = (row.keys ?? []).map(({ sealed, activeFrom, expires }) => ({
    sealed_key: Buffer.from(sealed, 'base64'),
    active_from_dt: new Date(activeFrom),
    expires_dt: expires === null ? null : new Date(expires),
  }));
  return { ...row, keys };
}
