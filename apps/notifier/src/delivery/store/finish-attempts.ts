import { type DisabledReason, disableSubscription, recordExhausted, recordSubscriptionEvents } from '@ats/domain';
import { type Database, runStatement, type Transaction } from '@ats/postgres';
import { type AttemptError, type AttemptOutcome } from '../http/attempt-outcome.js';
import { boundsOf } from './batches.js';
import { type ClaimedDelivery } from './claimed-deliveries.js';
import { FINISH } from './finish-sql.js';

export interface FinishedAttempt {
  readonly delivery: ClaimedDelivery;
  readonly outcome: AttemptOutcome;
  /** The headers that were sent, for the attempt log. They contain no secrets. */
  readonly requestHeaders: Readonly<Record<string, string>>;
  /** Delay before the next attempt. Null when the schedule is exhausted. A success ignores it. */
  readonly delayMs: number | null;
  /** True for a message of a batch that is not counted, because the batch counts once for its subscription. */
  readonly isCompanion?: boolean;
}

/** The new status of a delivery. Null when another attempt has claimed the delivery meanwhile. */
export type SettledStatus = 'delivered' | 'due' | 'held' | 'exhausted' | 'cancelled' | null;

/**
 * A subscription is disabled when its attempts have failed for `FAILING_DAYS`, at least `FAILING_ATTEMPTS` times and
 * without a success (docs/reference/notifications.md).
 */
const FAILING_DAYS = 5;
const FAILING_ATTEMPTS = 10;

interface Settled {
  readonly delivery_id: number;
  readonly attempt: number;
  readonly status: SettledStatus;
}

interface Answer {
  readonly settled: readonly Settled[] | null;
  /** The ids of subscriptions that must be disabled. */
  readonly failing: readonly number[] | null;
  /** The ids of subscriptions that have recovered. */
  readonly recovered: readonly number[] | null;
  readonly exhausted:
    | readonly { readonly id: number; readonly occurred: string; readonly subscriptionId: number }[]
    | null;
}

export interface FinishingWorker {
  /** Name of the worker in the attempt log. */
  readonly workerName: string;
  /** `PUBLIC_BASE_URL` without a slash at its end. */
  readonly baseUrl: string;
}

/**
 * Stores finished attempts in one transaction. It also stores the new status of their deliveries, the counters of their
 * subscriptions, and the events that follow.
 * @returns the new status of each delivery, in the order of `attempts`
 */
export async function finishAttempts(
  database: Database,
  attempts: readonly FinishedAttempt[],
  { workerName, baseUrl }: FinishingWorker,
): Promise<readonly SettledStatus[]> {
  const parameters = [
    JSON.stringify(attempts.map(toRow)),
    workerName,
    FAILING_ATTEMPTS,
    FAILING_DAYS,
    ...boundsOf(attempts.map(({ delivery }) => delivery.occurred_dt.getTime())),
  ];
  const settled = await database.transaction(async (transaction) => {
    const [answer] = await runStatement<Answer>(transaction, FINISH, parameters);
    if (answer) await applyAnswer(transaction, answer, { attempts, baseUrl });
    return answer?.settled;
  });
  const byAttempt = new Map(settled?.map((one) => [keyOf(one), one.status]));
  return attempts.map(
    ({ delivery }) => byAttempt.get(keyOf({ delivery_id: delivery.id, attempt: delivery.attempts })) ?? null,
  );
}

/** Disables the subscriptions that the result of `FINISH` lists, and records the events that it lists. */
async function applyAnswer(
  transaction: Transaction,
  { settled, failing, recovered, exhausted }: Answer,
  { attempts, baseUrl }: { readonly attempts: readonly FinishedAttempt[]; readonly baseUrl: string },
): Promise<void> {
  const held = new Set(settled?.filter(({ status }) => status === 'held').map(keyOf));
  const reasons = new Map<number, DisabledReason>(failing?.map((id) => [id, 'failing']));
  for (const { delivery, outcome } of attempts) {
    const isHeld = held.has(keyOf({ delivery_id: delivery.id, attempt: delivery.attempts }));
    if (isHeld && isGone(delivery, outcome)) reasons.set(delivery.subscription_id, 'gone');
  }
  if (reasons.size === 0 && !recovered && !exhausted) return;
  const [system] = await runStatement<{ default_language: string }>(
    transaction,
    'SELECT default_language FROM systems ORDER BY id LIMIT 1',
  );
  const settings = { baseUrl, language: system?.default_language ?? 'en' };
  const cause = { recruiterId: null, settings };
  await recordSubscriptionEvents(transaction, 'SUBSCRIPTION_RECOVERED', recovered ?? [], cause);
  await recordExhausted(
    transaction,
    (exhausted ?? []).map((delivery) => ({ ...delivery, occurred: new Date(delivery.occurred) })),
    settings,
  );
  for (const [id, reason] of reasons) await disableSubscription(transaction, id, reason, cause);
}

const keyOf = ({ delivery_id: id, attempt }: Pick<Settled, 'delivery_id' | 'attempt'>): string => `${id} ${attempt}`;

const countsAgainst = (delivery: ClaimedDelivery, { error, isOwnError }: AttemptOutcome): boolean =>
  error !== null && !isOwnError && delivery.reason !== 'ping';

const isGone = (delivery: ClaimedDelivery, outcome: AttemptOutcome): boolean =>
  countsAgainst(delivery, outcome) && outcome.answer?.statusCode === 410;

const OVERLOAD_STATUSES: ReadonlySet<number | undefined> = new Set([429, 502, 503, 504]);
const OVERLOAD_ERRORS: ReadonlySet<AttemptError | null> = new Set<AttemptError>(['timeout', 'connect_timeout']);

/**
 * Returns true when the result shows that the destination is overloaded. The concurrency limit of its subscription is
 * then halved.
 */
const isOverload = ({ error, answer }: AttemptOutcome): boolean =>
  OVERLOAD_ERRORS.has(error) || OVERLOAD_STATUSES.has(answer?.statusCode);

/** Makes one row of the JSON array that `FINISH` reads. */
function toRow(
  { delivery, outcome, requestHeaders, delayMs, isCompanion = false }: FinishedAttempt,
  position: number,
): object {
  const isPing = delivery.reason === 'ping';
  return {
    position,
    delivery_id: delivery.id,
    occurred_dt: delivery.occurred_dt,
    subscription_id: delivery.subscription_id,
    attempt: delivery.attempts,
    token: delivery.lease_token,
    reason: delivery.reason,
    url: delivery.destination_url ?? '',
    started_dt: delivery.claimed_dt,
    is_success: outcome.error === null,
    is_ping: isPing,
    counts_for: outcome.error === null && !isPing && !isCompanion,
    counts_against: countsAgainst(delivery, outcome) && !isCompanion,
    is_gone: isGone(delivery, outcome),
    is_overload: isOverload(outcome) && !isPing,
    // A test message (`ping`) has only one attempt, which is repeated only after an error inside the notifier.
    delay_ms: isPing && !outcome.isOwnError ? null : delayMs,
    spent: outcome.isOwnError ? 0 : 1,
    state: outcome.isOwnError ? 'interrupted' : 'done',
    resolve_ms: outcome.resolveMs,
    headers_ms: outcome.headersMs,
    duration_ms: outcome.durationMs,
    remote_address: outcome.remoteAddress,
    status_code: outcome.answer?.statusCode ?? null,
    error: outcome.error,
    request_headers: requestHeaders,
    response_headers: outcome.answer?.headers ?? null,
    response_excerpt: outcome.answer?.excerpt ?? null,
    is_truncated: outcome.answer?.isTruncated ?? false,
  };
}
