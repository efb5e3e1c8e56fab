import { type Database } from '@ats/postgres';
import { boundsOf } from './batches.js';
import { type FinishedAttempt } from './finish-attempts.js';
import { maxInFlight } from './finish-sql.js';
import { BEGIN_PLANNED, dedicatedTransaction, hasStatus } from '../../loops/planned-transaction.js';

/**
 * Returns true for an attempt that {@link finishSuccesses} can finish: a success of a message that is not a test
 * message.
 */
export const isPlainSuccess = ({ delivery, outcome }: FinishedAttempt): boolean =>
  outcome.error === null && outcome.answer !== null && delivery.reason !== 'ping';

/**
 * SQL that finishes many successes in one statement. It changes no subscription, because `SuccessCounters` counts the
 * successes later. It finishes only plain cases: the delivery still belongs to the attempt, its person was not
 * anonymised, and the success changes nothing but counters of the subscription. `FINISH` handles all other cases.
 *
 * The statement skips locked deliveries. It has not locked the subscriptions of the deliveries, so waiting for a
 * delivery could deadlock with a transaction that changes several deliveries.
 *
 * Parameters: $1 ids of the deliveries; $2 tokens of their claims; $3 and $4 the times of the first and the last event;
 * $5 the name of the worker; $6 and later the attempts.
 */
const FINISH_SUCCESSES = `
WITH owned AS MATERIALIZED (
  SELECT d.id, d.occurred_dt, d.attempts, d.reason, f.*
  FROM ROWS FROM (unnest($1::bigint[]), unnest($2::uuid[]), unnest($6::text[]), unnest($7::timestamptz[]),
    unnest($8::integer[]), unnest($9::integer[]), unnest($10::integer[]), unnest($11::text[]), unnest($12::integer[]),
    jsonb_array_elements($13::jsonb), jsonb_array_elements($14::jsonb), unnest($15::text[]), unnest($16::boolean[]))
    AS f (delivery_id, token, url, started_dt, resolve_ms, headers_ms, duration_ms, remote_address, status_code,
      request_headers, response_headers, response_excerpt, is_truncated)
  JOIN notification_deliveries d ON d.id = f.delivery_id AND d.lease_token = f.token
  JOIN notification_subscriptions s ON s.id = d.subscription_id AND s.disabled_dt IS NULL
    AND s.consecutive_failures = 0 AND s.first_failure_dt IS NULL AND s.in_flight_limit >= ${maxInFlight('s')}
    AND NOT s.is_recovering AND s.released_sequence IS NULL AND s.troubled_dt IS NULL
  WHERE d.id = ANY($1) AND d.occurred_dt BETWEEN $3 AND $4 AND ${hasStatus('d', 'sending')} AND d.keeps_answers
  FOR NO KEY UPDATE OF d SKIP LOCKED
), logged AS (
  INSERT INTO notification_attempts (occurred_dt, delivery_id, attempt, reason, state, url, started_dt, resolve_ms,
    headers_ms, duration_ms, remote_address, status_code, request_headers, response_headers, response_excerpt,
    is_truncated, worker)
  SELECT occurred_dt, id, attempts, reason, 'done', url, started_dt, resolve_ms, headers_ms, duration_ms,
    remote_address, status_code, request_headers, response_headers, response_excerpt, is_truncated, $5
  FROM owned
)
UPDATE notification_deliveries d SET
  status = 'delivered', next_attempt_dt = NULL, finished_dt = clock_timestamp(), requeues = 0,
  last_status_code = owned.status_code, last_error = NULL, reason = 'auto', queued_dt = NULL, lease_token = NULL,
  lease_until_dt = NULL, lease_worker = NULL
FROM owned
WHERE d.id = owned.id AND d.occurred_dt = owned.occurred_dt AND d.occurred_dt BETWEEN $3 AND $4
RETURNING d.id, owned.token, d.finished_dt`;

/** SQL that begins an asynchronous commit. A lost result only repeats a message. See `ResultFlush`. */
const RESULTS = {
  name: 'results',
  begin: `${BEGIN_PLANNED}; SET LOCAL synchronous_commit = off`,
  commitsUnread: true,
};

interface Finished {
  readonly id: number;
  readonly token: string;
  readonly finished_dt: Date;
}

/**
 * Stores plain successes and marks their deliveries as delivered. The caller must request a flush afterwards.
 * @returns for each attempt the time when its delivery was delivered. Null when nothing was stored, so that
 *   `finishAttempts` must finish the attempt
 */
export async function finishSuccesses(
  database: Database,
  attempts: readonly FinishedAttempt[],
  workerName: string,
): Promise<readonly (Date | null)[]> {
  const { rows } = await dedicatedTransaction(database, RESULTS, (client) =>
    client.query<Finished>({
      name: 'finish-successes',
      text: FINISH_SUCCESSES,
      values: toParameters(attempts, workerName),
    }),
  );
  // The key contains the lease token, because `attempts` can include two attempts of one delivery: a late one, and the
  // one that has the claim now.
  const times = new Map(rows.map(({ id, token, finished_dt: finished }) => [`${id} ${token}`, finished]));
  return attempts.map(({ delivery }) => times.get(`${delivery.id} ${delivery.lease_token}`) ?? null);
}

function toParameters(attempts: readonly FinishedAttempt[], workerName: string): unknown[] {
  const deliveries = attempts.map(({ delivery }) => delivery);
  const outcomes = attempts.map(({ outcome }) => outcome);
  const answers = outcomes.map(({ answer }) => answer);
  const times = deliveries.map(({ occurred_dt: occurred }) => occurred.getTime());
  return [
    deliveries.map(({ id }) => id),
    deliveries.map(({ lease_token: token }) => token),
    ...boundsOf(times),
    workerName,
    deliveries.map(({ destination_url: url }) => url),
    deliveries.map(({ claimed_dt: claimed }) => claimed),
    outcomes.map(({ resolveMs }) => resolveMs),
    outcomes.map(({ headersMs }) => headersMs),
    outcomes.map(({ durationMs }) => durationMs),
    outcomes.map(({ remoteAddress }) => remoteAddress),
    answers.map((answer) => answer?.statusCode),
    JSON.stringify(attempts.map(({ requestHeaders }) => requestHeaders)),
    JSON.stringify(answers.map((answer) => answer?.headers ?? {})),
    answers.map((answer) => answer?.excerpt),
    answers.map((answer) => answer?.isTruncated ?? false),
  ];
}
