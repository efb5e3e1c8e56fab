import { runStatement, type Transaction } from '@ats/postgres';
import { keyReaderOf } from '../../objects/notification-endpoint.model.js';
import { NotFoundError } from '../../vocabulary/validation-error.js';
import { type SecretBox } from '../../writing/secret-box.js';
import { type SubscriptionKey } from '../redelivery/redeliver.js';
import { movePending } from '../deliveries/pending-deliveries.js';
import { lockTopicIndex } from '../topics/topic-index-lock.js';
import { originOf } from './destination-origin.js';
import {
  insertSigningKey,
  KEY_TIME,
  type KeyOwner,
  moveKeys,
  replaceKeyOf,
  type RotationOptions,
} from './signing-keys.js';

// An endpoint is own or shared. An own endpoint has one subscription, which `own_subscription_id` names and which has
// the signing keys. A shared endpoint has the keys itself, and can have any number of subscriptions.
//
// All functions take the lock of the topic index first, so that they run one after the other. Notifiers store
// results without this lock, but lock subscriptions in the order of their ids. So a function locks exactly the
// subscriptions that it writes, in one statement and in this order. A caller that has already locked one of them must
// have locked all of them, see `lockSubscription`. Otherwise its transaction and that of a notifier can deadlock.

/**
 * SQL assignments for the subscriptions of a shared endpoint. Notifiers of the previous release find no keys for such
 * subscriptions, and the limit 0 keeps these notifiers from sending. Notifiers of this release use another limit.
 * `is_recovering` must be false: otherwise notifiers of the previous release would double the limit, from 0 to 0, which
 * a constraint forbids.
 */
const OF_SHARED = 'max_in_flight = 0, is_recovering = false';

/**
 * Returns the id of the endpoint of a subscription. The subscription keeps this endpoint until the transaction ends.
 * @throws {NotFoundError} when the topic has no such subscription
 */
export async function endpointIdOf(transaction: Transaction, { topicId, id }: SubscriptionKey): Promise<number> {
  await lockTopicIndex(transaction);
  const [subscription] = await runStatement<{ endpointId: number }>(
    transaction,
    'SELECT endpoint_id AS "endpointId" FROM notification_subscriptions WHERE id = $1 AND topic_id = $2',
    [id, topicId],
  );
  if (!subscription) throw new NotFoundError('notification_subscription', id);
  return subscription.endpointId;
}

/**
 * Rotates the signing key of a subscription. If its endpoint is shared, this rotates the key of all subscriptions of
 * the endpoint.
 * @throws {NotFoundError} when the topic has no such subscription
 * Source: docs/reference/signing.md, "Key rotation".
 */
export async function rotateSigningKey(
  transaction: Transaction,
  key: SubscriptionKey,
  options: RotationOptions,
): Promise<void> {
  await rotateEndpointKey(transaction, await endpointIdOf(transaction, key), options);
}

/**
 * Rotates the signing key of an endpoint. All its subscriptions use this key.
 * @throws {NotFoundError} when there is no such endpoint
 */
export async function rotateEndpointKey(
  transaction: Transaction,
  endpointId: number,
  options: RotationOptions,
): Promise<void> {
  const { owner } = await lockEndpoint(transaction, endpointId, { withSubscriptions: true });
  await replaceKeyOf(transaction, owner, options);
  await runStatement(transaction, `UPDATE notification_endpoints SET updated_dt = ${KEY_TIME} WHERE id = $1`, [
    endpointId,
  ]);
  await runStatement(
    transaction,
    `UPDATE notification_subscriptions SET updated_dt = ${KEY_TIME} WHERE endpoint_id = $1`,
    [endpointId],
  );
}

/**
 * Makes the endpoint of a single subscription a shared endpoint for good: the signing keys of the subscription move to
 * the endpoint, with their texts and times. A shared endpoint does not change. Call this before an endpoint gets a
 * second subscription, or a setting that notifiers of the previous release do not know.
 * @throws {NotFoundError} when there is no such endpoint
 */
export async function shareEndpoint(transaction: Transaction, endpointId: number, secretBox: SecretBox): Promise<void> {
  const { owner } = await lockEndpoint(transaction, endpointId);
  await shareLocked(transaction, { id: endpointId, owner, secretBox });
}

async function shareLocked(
  transaction: Transaction,
  { id, owner, secretBox }: { readonly id: number; readonly owner: KeyOwner; readonly secretBox: SecretBox },
): Promise<void> {
  if (owner.type === 'endpoint') return;
  await moveKeys(transaction, { from: owner, to: { type: 'endpoint', id }, secretBox });
  await runStatement(
    transaction,
    `UPDATE notification_endpoints e
     SET credential_id = ${keyReaderOf('e')}, own_subscription_id = NULL, updated_dt = ${KEY_TIME} WHERE id = $1`,
    [id],
  );
  await runStatement(transaction, `UPDATE notification_subscriptions SET ${OF_SHARED} WHERE id = $1`, [owner.id]);
}

/**
 * Moves a subscription to another endpoint, which becomes a shared endpoint for good. The subscription gets the
 * destination and the keys of that endpoint. The former keys and the own endpoint of the subscription are deleted. Its
 * pending deliveries go to the new destination, or to the feed if there is no destination. Nothing changes when the
 * subscription already has the endpoint.
 * @throws {NotFoundError} when there is no such endpoint
 */
export async function joinEndpoint(
  transaction: Transaction,
  subscriptionId: number,
  endpointId: number,
  secretBox: SecretBox,
): Promise<void> {
  const { url, owner } = await lockEndpoint(transaction, endpointId, { joiningId: subscriptionId });
  const [subscription] = await runStatement<{ endpointId: number }>(
    transaction,
    'SELECT endpoint_id AS "endpointId" FROM notification_subscriptions WHERE id = $1',
    [subscriptionId],
  );
  if (subscription?.endpointId === endpointId) return;
  await shareLocked(transaction, { id: endpointId, owner, secretBox });
  await runStatement(transaction, 'DELETE FROM notification_subscription_keys WHERE subscription_id = $1', [
    subscriptionId,
  ]);
  await runStatement(
    transaction,
    `UPDATE notification_subscriptions SET endpoint_id = $2, destination_url = $3, destination_origin = $4,
       updated_dt = ${KEY_TIME}, ${OF_SHARED} WHERE id = $1`,
    [subscriptionId, endpointId, url, originOf(url)],
  );
  if (url === null) await movePending(transaction, [subscriptionId], 'streamed');
  await runStatement(transaction, 'DELETE FROM notification_endpoints WHERE own_subscription_id = $1', [
    subscriptionId,
  ]);
}

/**
 * Moves a subscription from a shared endpoint to a new own endpoint, with the same destination and a new key. The
 * shared endpoint stays, even without subscriptions.
 * @returns the new key as text; null when the subscription already has an own endpoint
 */
export async function leaveEndpoint(
  transaction: Transaction,
  subscriptionId: number,
  secretBox: SecretBox,
): Promise<string | null> {
  await lockTopicIndex(transaction);
  const left = await runStatement(
    transaction,
    // A trigger creates a new endpoint for a subscription whose `endpoint_id` becomes null.
    `UPDATE notification_subscriptions s
     SET endpoint_id = NULL, max_in_flight = DEFAULT, updated_dt = ${KEY_TIME}
     FROM notification_endpoints e WHERE s.id = $1 AND e.id = s.endpoint_id AND e.own_subscription_id IS NULL
     RETURNING s.id`,
    [subscriptionId],
  );
  if (left.length === 0) return null;
  // If the previous release rotated the key of this subscription, it stored a key that was never used. This statement
  // deletes that key.
  await runStatement(transaction, 'DELETE FROM notification_subscription_keys WHERE subscription_id = $1', [
    subscriptionId,
  ]);
  return insertSigningKey(transaction, { type: 'subscription', id: subscriptionId }, secretBox);
}

/**
 * Locks an endpoint and all its subscriptions until the transaction ends.
 * @returns the primary keys of the subscriptions, the oldest first
 * @throws {NotFoundError} when there is no such endpoint
 */
export async function lockSubscriptionsOf(
  transaction: Transaction,
  endpointId: number,
): Promise<readonly SubscriptionKey[]> {
  await lockEndpoint(transaction, endpointId, { withSubscriptions: true });
  return runStatement<SubscriptionKey>(
    transaction,
    'SELECT id, topic_id AS "topicId" FROM notification_subscriptions WHERE endpoint_id = $1 ORDER BY id',
    [endpointId],
  );
}

interface LockOptions {
  /** A subscription that moves to the endpoint. It is locked, and so is the endpoint that it leaves. */
  readonly joiningId?: number;
  /** True to lock all subscriptions of the endpoint. By default, only the subscription of an own endpoint is locked. */
  readonly withSubscriptions?: boolean;
}

/**
 * Locks an endpoint and some subscriptions until the transaction ends.
 * @returns the destination, and the row that owns the endpoint's signing keys
 * @throws {NotFoundError} when there is no such endpoint
 */
async function lockEndpoint(
  transaction: Transaction,
  id: number,
  { joiningId, withSubscriptions = false }: LockOptions = {},
): Promise<{ readonly url: string | null; readonly owner: KeyOwner }> {
  await lockTopicIndex(transaction);
  const endpoints = await runStatement<{ id: number; ownId: number | null; url: string | null }>(
    transaction,
    `SELECT id, own_subscription_id AS "ownId", destination_url AS url FROM notification_endpoints
     WHERE id = $1 OR own_subscription_id = $2 ORDER BY id FOR NO KEY UPDATE`,
    [id, joiningId ?? null],
  );
  const endpoint = endpoints.find((one) => one.id === id);
  if (!endpoint) throw new NotFoundError('notification_endpoint', id);
  const { url, ownId } = endpoint;
  await runStatement(
    transaction,
    `SELECT FROM notification_subscriptions WHERE id = ANY($1) OR endpoint_id = $2 ORDER BY id FOR NO KEY UPDATE`,
    [[ownId, joiningId ?? null], withSubscriptions ? id : null],
  );
  return { url, owner: ownId === null ? { type: 'endpoint', id } : { type: 'subscription', id: ownId } };
}
