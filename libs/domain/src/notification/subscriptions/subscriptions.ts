import { isDeepStrictEqual } from 'node:util';
import { runStatement, type Transaction } from '@ats/postgres';
import { hasPendingSql, movePending } from '../deliveries/pending-deliveries.js';
import { type SubscriptionStatus, subscriptionStatusSql } from '../../objects/notification.model.js';
import { type SecretBox } from '../../writing/secret-box.js';
import { type OperatorEventCause, recordSubscriptionEvents } from './operator-events.js';
import { originOf } from './destination-origin.js';
import { insertSigningKey } from './signing-keys.js';
import { lockTopicIndex, recordTopicChange } from '../topics/topic-index-lock.js';

/**
 * The values of a subscription as a client sends them, after validation: the URL is allowed, and `end_dt` is after
 * `start_dt`.
 */
export interface SubscriptionValues {
  /** Start of the period; null means now. */
  readonly start_dt: Date | null;
  readonly end_dt: Date | null;
  /** Null for a subscription whose endpoint has no destination. */
  readonly destination_url: string | null;
  /**
   * The credential that owns the subscription. If absent, a new subscription has no owner, and an existing one keeps
   * its owner.
   */
  readonly owner_id?: number | null;
}

/**
 * The reason why a subscription is disabled. `gone`: the destination answered 410. `failing`: no attempt has succeeded
 * for days. `requested`: a client disabled it.
 */
export type DisabledReason = 'gone' | 'failing' | 'requested';

/**
 * A subscription as it is stored, with its status when it was read.
 * Source: docs/reference/notifications.md, "Subscriptions".
 */
export interface Subscription {
  readonly id: number;
  readonly uuid: string;
  readonly created_dt: Date;
  readonly updated_dt: Date;
  readonly topic_id: number;
  readonly start_dt: Date;
  readonly end_dt: Date | null;
  readonly destination_url: string | null;
  readonly status: SubscriptionStatus;
  readonly disabled_reason: DisabledReason | null;
  readonly endpoint_id: number;
  readonly owner_id: number | null;
}

/** The columns of {@link Subscription} in a SELECT from `notification_subscriptions` without an alias. */
export const SUBSCRIPTION_COLUMNS = `id, uuid, created_dt, updated_dt, topic_id, start_dt, end_dt, destination_url,
  disabled_reason, endpoint_id, owner_id, ${subscriptionStatusSql('notification_subscriptions')} AS status`;

/**
 * SQL for the time of a write under the lock of the topic index, truncated to milliseconds. A time that is rounded up
 * could be later than the next event after the write.
 */
const NOW = `date_trunc('milliseconds', clock_timestamp())`;

/**
 * Stores a new subscription and its first signing key. If the start is in the past, only events that occur from now on
 * are matched.
 * @returns the subscription and the key as text; null when there is no such topic
 */
export async function createSubscription(
  transaction: Transaction,
  topicId: number,
  values: SubscriptionValues,
  secretBox: SecretBox,
): Promise<{ readonly subscription: Subscription; readonly signingKey: string } | null> {
  await lockTopicIndex(transaction);
  const [topic] = await runStatement(transaction, 'SELECT id FROM notification_topics WHERE id = $1 FOR KEY SHARE', [
    topicId,
  ]);
  if (!topic) return null;
  const [subscription] = await runStatement<Subscription>(
    transaction,
    `INSERT INTO notification_subscriptions
       (topic_id, created_dt, updated_dt, start_dt, end_dt, active_from_dt, destination_url, destination_origin,
         owner_id)
     SELECT $1, clock.now, clock.now, COALESCE($2, clock.now), $3, GREATEST($2, clock.now), $4, $5, $6
     FROM (SELECT ${NOW} AS now) clock
     RETURNING ${SUBSCRIPTION_COLUMNS}`,
    [topicId, ...columnsOf(values), values.owner_id ?? null],
  );
  if (!subscription) throw new Error('INSERT INTO notification_subscriptions returned no row');
  const signingKey = await insertSigningKey(transaction, { type: 'subscription', id: subscription.id }, secretBox);
  await recordTopicChange(transaction, topicId);
  return { subscription, signingKey };
}

/**
 * Replaces the values of a subscription. Its keys, its sequence and its pending deliveries stay. If the start is in the
 * past, an active subscription continues without a gap, and any other subscription starts now. Nothing changes when the
 * new values equal the old ones.
 * @returns null when the topic has no such subscription
 */
export async function replaceSubscription(
  transaction: Transaction,
  { topicId, id }: { readonly topicId: number; readonly id: number },
  values: SubscriptionValues,
): Promise<Subscription | null> {
  const before = await lockSubscription(transaction, { topicId, id });
  if (!before || hasValues(before, values)) return before;
  const [subscription] = await runStatement<Subscription>(
    transaction,
    `UPDATE notification_subscriptions
     SET start_dt = COALESCE($3, ${NOW}), end_dt = $4, destination_url = $5, destination_origin = $6, owner_id = $7,
       updated_dt = ${NOW},
       active_from_dt = CASE WHEN $3 > ${NOW} THEN $3 ELSE LEAST(active_from_dt, ${NOW}) END
     WHERE id = $1 AND topic_id = $2 RETURNING ${SUBSCRIPTION_COLUMNS}`,
    [id, topicId, ...columnsOf(values), ownerOf(before, values)],
  );
  if (!subscription) throw new Error('a subscription was deleted while this transaction held its lock');
  await recordTopicChange(transaction, topicId);
  return subscription;
}

const ownerOf = (before: Subscription, { owner_id }: SubscriptionValues): number | null =>
  owner_id === undefined ? before.owner_id : owner_id;

/** Returns the values of the columns from `start_dt` to `destination_origin`, in the order of the SQL. */
const columnsOf = ({ start_dt, end_dt, destination_url }: SubscriptionValues): readonly unknown[] => [
  start_dt,
  end_dt,
  destination_url,
  originOf(destination_url),
];

const hasValues = (subscription: Subscription, values: SubscriptionValues): boolean =>
  Object.entries({ ...values, owner_id: ownerOf(subscription, values) }).every(([name, value]) =>
    isDeepStrictEqual(value, subscription[name as keyof SubscriptionValues]),
  );

/**
 * Deletes a subscription and cancels its pending deliveries.
 * @returns false when the topic has no such subscription
 */
export async function deleteSubscription(
  transaction: Transaction,
  { topicId, id }: { readonly topicId: number; readonly id: number },
): Promise<boolean> {
  await lockTopicIndex(transaction);
  const deleted = await runStatement(
    transaction,
    'DELETE FROM notification_subscriptions WHERE id = $1 AND topic_id = $2 RETURNING id',
    [id, topicId],
  );
  if (deleted.length === 0) return false;
  await movePending(transaction, [id], 'deleted');
  await recordTopicChange(transaction, topicId);
  return true;
}

/**
 * Reads a subscription and locks it until the transaction ends. A caller can then compare it with `If-Match` before a
 * write.
 * @param joinedId  the endpoint to which the subscription moves in this transaction. If it is the own endpoint of
 *   another subscription, that subscription changes, too. Both are then locked in the order of their ids, as notifiers
 *   do.
 * @returns null when the topic has no such subscription
 */
export async function lockSubscription(
  transaction: Transaction,
  { topicId, id }: { readonly topicId: number; readonly id: number },
  joinedId: number | null = null,
): Promise<Subscription | null> {
  await lockTopicIndex(transaction);
  const joined = '(SELECT own_subscription_id FROM notification_endpoints WHERE id = $2)';
  const locked = await runStatement<Subscription>(
    transaction,
    `SELECT ${SUBSCRIPTION_COLUMNS} FROM notification_subscriptions
     WHERE id = ${joinedId === null ? '$1' : `ANY(ARRAY[$1, ${joined}])`} ORDER BY id FOR UPDATE`,
    joinedId === null ? [id] : [id, joinedId],
  );
  return locked.find((one) => one.id === id && one.topic_id === topicId) ?? null;
}

/**
 * Disables subscriptions. Records a `SUBSCRIPTION_DISABLED` event for each. Their pending and new deliveries are held
 * until {@link enableSubscriptions}. Subscriptions that are already disabled do not change.
 */
export async function disableSubscriptions(
  transaction: Transaction,
  ids: readonly number[],
  reason: DisabledReason,
  cause: OperatorEventCause,
): Promise<void> {
  const disabled = await runStatement<{ id: number }>(
    transaction,
    `UPDATE notification_subscriptions SET disabled_dt = ${NOW}, disabled_reason = $2, updated_dt = ${NOW},
       troubled_dt = COALESCE(troubled_dt, ${NOW})
     WHERE id = ANY($1) AND disabled_dt IS NULL RETURNING id`,
    [ids, reason],
  );
  if (disabled.length === 0) return;
  const changed = disabled.map(({ id }) => id);
  await movePending(transaction, changed, 'disabled');
  await recordSubscriptionEvents(transaction, 'SUBSCRIPTION_DISABLED', changed, cause);
}

/** Disables one subscription, see {@link disableSubscriptions}. */
export const disableSubscription = (
  transaction: Transaction,
  id: number,
  reason: DisabledReason,
  cause: OperatorEventCause,
): Promise<void> => disableSubscriptions(transaction, [id], reason, cause);

/**
 * Enables subscriptions. Their held deliveries are sent first, in order. At first, only one attempt of a subscription
 * runs at a time; this limit grows while attempts succeed. The first success raises a `SUBSCRIPTION_RECOVERED` event.
 */
export async function enableSubscriptions(transaction: Transaction, ids: readonly number[]): Promise<void> {
  const enabled = await runStatement<{ id: number }>(
    transaction,
    `UPDATE notification_subscriptions s
     SET disabled_dt = NULL, disabled_reason = NULL, consecutive_failures = 0, first_failure_dt = NULL,
       updated_dt = ${NOW},
       -- The previous release does not set troubled_dt when it disables a subscription.
       troubled_dt = COALESCE(troubled_dt, disabled_dt),
       released_sequence = CASE WHEN ${hasPendingSql('s')} THEN last_sequence END,
       released_dt = ${NOW},
       in_flight_limit = 1, limit_successes = 0, is_recovering = max_in_flight > 1
     WHERE id = ANY($1) AND disabled_dt IS NOT NULL RETURNING id`,
    [ids],
  );
  const changed = enabled.map(({ id }) => id);
  if (changed.length > 0) await movePending(transaction, changed, 'enabled');
}

/** Enables one subscription, see {@link enableSubscriptions}. */
export const enableSubscription = (transaction: Transaction, id: number): Promise<void> =>
  enableSubscriptions(transaction, [id]);
