import { type Database, disableSubscription, type DisabledReason, runStatement, type Transaction } from '@ats/domain';
import { type AttemptOutcome } from './attempt-outcome.js';
import { type ClaimedDelivery } from './claimed-delivery.js';

/** A subscription is disabled after this long without one success, and this many failures. Source: CONTRACT.md 8. */
const FAILING_DAYS = 5;
const FAILING_ATTEMPTS = 10;
/** Weight of the newest attempt in the average latency. */
const LATENCY_WEIGHT = 0.2;

export interface FinishedAttempt {
  readonly delivery: ClaimedDelivery;
  readonly token: string;
  readonly outcome: AttemptOutcome;
  /** The headers as sent, without anything secret. */
  readonly requestHeaders: Readonly<Record<string, string>>;
}

/** What came of a delivery; null when another attempt owns it by now. */
export type SettledStatus = 'delivered' | 'due' | 'held' | 'exhausted' | 'cancelled' | null;

const ATTEMPT_DONE = `
UPDATE notification_attempts SET state = $4, resolve_ms = $5, headers_ms = $6, duration_ms = $7, remote_address = $8, status_code = $9,
  error = $10, request_headers = $11, response_headers = $12, response_excerpt = $13, is_truncated = $14
WHERE delivery_id = $1 AND occurred_dt = $2 AND attempt = $3`;

const attemptParameters = ({ delivery, outcome, requestHeaders }: FinishedAttempt): readonly unknown[] => [
  delivery.id,
  delivery.occurred_dt,
  delivery.attempts,
  outcome.isOurFault ? 'interrupted' : 'done',
  outcome.resolveMs,
  outcome.headersMs,
  outcome.durationMs,
  outcome.remoteAddress,
  outcome.answer?.statusCode ?? null,
  outcome.error,
  JSON.stringify(requestHeaders),
  outcome.answer ? JSON.stringify(outcome.answer.headers) : null,
  outcome.answer?.excerpt ?? null,
  outcome.answer?.isTruncated ?? false,
];

/**
 * Everything that a success changes, in one statement. It counts whoever owns the delivery by now: the destination has it.
 */
const DELIVERED = `
WITH attempt AS (${ATTEMPT_DONE}
), subscription AS (
  UPDATE notification_subscriptions SET consecutive_failures = 0, first_failure_dt = NULL, last_success_dt = clock_timestamp(),
    average_latency_ms = round(COALESCE(average_latency_ms, $7::integer) * ${1 - LATENCY_WEIGHT} + $7::integer * ${LATENCY_WEIGHT})
  WHERE id = $15 RETURNING id
)
UPDATE notification_deliveries d SET status = 'delivered', finished_dt = clock_timestamp(), last_status_code = $9, last_error = NULL,
  next_attempt_dt = NULL, queued_dt = NULL, lease_token = NULL, lease_until_dt = NULL, lease_worker = NULL
FROM (SELECT count(*) FROM subscription) locked_first
WHERE d.id = $1 AND d.occurred_dt = $2 AND d.status <> 'delivered'
RETURNING d.status`;

export async function finishDelivered(database: Database, finished: FinishedAttempt): Promise<SettledStatus> {
  const rows = await database.query(DELIVERED, [...attemptParameters(finished), finished.delivery.subscription_id]);
  return rows.length > 0 ? 'delivered' : null;
}

/**
 * Stores a failed attempt together with what comes next, so that none is without the other.
 * @param delayMs null when the schedule is used up
 */
export function finishFailed(database: Database, finished: FinishedAttempt, delayMs: number | null): Promise<SettledStatus> {
  const { delivery, token, outcome } = finished;
  return database.transaction(async (transaction) => {
    const subscription = await lockSubscription(transaction, delivery.subscription_id);
    const settled = await runStatement<{ status: SettledStatus }>(
      transaction,
      `UPDATE notification_deliveries SET
         status = CASE WHEN NOT $4::boolean THEN 'cancelled' WHEN $5::boolean THEN 'held' WHEN $6::double precision IS NULL THEN 'exhausted' ELSE 'due' END,
         next_attempt_dt = CASE WHEN $4::boolean AND NOT $5::boolean THEN clock_timestamp() + $6::double precision * interval '1 millisecond' END,
         finished_dt = CASE WHEN NOT $4::boolean OR ($6::double precision IS NULL AND NOT $5::boolean) THEN clock_timestamp() END,
         failures = failures + $7, last_status_code = $8, last_error = $9, lease_token = NULL, lease_until_dt = NULL, lease_worker = NULL
       WHERE id = $1 AND occurred_dt = $2 AND lease_token = $3 RETURNING status`,
      [
        delivery.id,
        delivery.occurred_dt,
        token,
        subscription !== null,
        subscription?.isDisabled === true || outcome.answer?.statusCode === 410,
        delayMs,
        outcome.isOurFault ? 0 : 1,
        outcome.answer?.statusCode ?? null,
        outcome.error,
      ],
    );
    await runStatement(transaction, ATTEMPT_DONE, attemptParameters(finished));
    const [row] = settled;
    if (!row) return null;
    if (subscription && !outcome.isOurFault) await countFailure(transaction, finished);
    return row.status;
  });
}

/** The subscription comes before its deliveries in every transaction that changes both, so that none waits for another. */
async function lockSubscription(transaction: Transaction, id: number): Promise<{ readonly isDisabled: boolean } | null> {
  const [row] = await runStatement<{ isDisabled: boolean }>(
    transaction,
    'SELECT disabled_dt IS NOT NULL AS "isDisabled" FROM notification_subscriptions WHERE id = $1 FOR NO KEY UPDATE',
    [id],
  );
  return row ?? null;
}

async function countFailure(transaction: Transaction, { delivery, outcome }: FinishedAttempt): Promise<void> {
  const [row] = await runStatement<{ isFailing: boolean }>(
    transaction,
    `UPDATE notification_subscriptions
     SET consecutive_failures = consecutive_failures + 1, first_failure_dt = COALESCE(first_failure_dt, clock_timestamp())
     WHERE id = $1
     RETURNING consecutive_failures >= $2 AND first_failure_dt <= clock_timestamp() - make_interval(days => $3) AS "isFailing"`,
    [delivery.subscription_id, FAILING_ATTEMPTS, FAILING_DAYS],
  );
  const reason: DisabledReason | null = outcome.answer?.statusCode === 410 ? 'gone' : row?.isFailing ? 'failing' : null;
  if (reason) await disableSubscription(transaction, delivery.subscription_id, reason);
}
