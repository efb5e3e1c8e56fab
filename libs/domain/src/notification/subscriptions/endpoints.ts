import { isDeepStrictEqual } from 'node:util';
import { runStatement, type Transaction } from '@ats/postgres';
import { type EventType } from '../../objects/event-types.js';
import { keyReaderOf, notificationEndpoints } from '../../objects/notification-endpoint.model.js';
import { NotFoundError } from '../../vocabulary/validation-error.js';
import { type SecretBox } from '../../writing/secret-box.js';
import { checkQuotas } from '../../writing/quota.js';
import { deleteUnusedItem } from '../../writing/write-object.js';
import { movePending } from '../deliveries/pending-deliveries.js';
import { lockTopicIndex } from '../topics/topic-index-lock.js';
import { originOf } from './destination-origin.js';
import { joinEndpoint, shareEndpoint } from './endpoint-keys.js';
import { insertSigningKey, KEY_TIME } from './signing-keys.js';

/** The values of an endpoint as a client sends them, after validation. The URL is an allowed destination. */
export interface EndpointValues {
  readonly name: string;
  /** Null for an endpoint whose messages are only read from its feed. */
  readonly destination_url: string | null;
  /** The recruiter who owns the endpoint. */
  readonly owner_id: number | null;
  /** True when the owner gets e-mails about the sending of messages. */
  readonly emails_owner: boolean;
}

export interface Endpoint extends EndpointValues {
  readonly id: number;
  /** The only subscription of an own endpoint. Null for a shared endpoint. */
  readonly own_subscription_id: number | null;
}

/**
 * Stores a new endpoint without subscriptions, and its first signing key.
 * @returns the id of the endpoint
 */
export async function createEndpoint(
  transaction: Transaction,
  { name, destination_url, owner_id, emails_owner, credentialId }: EndpointValues & { readonly credentialId: number },
  secretBox: SecretBox,
): Promise<number> {
  const [endpoint] = await runStatement<{ id: number }>(
    transaction,
    `INSERT INTO notification_endpoints (name, destination_url, owner_id, credential_id, emails_owner)
     VALUES ($1, $2, $3, $4, $5) RETURNING id`,
    [name, destination_url, owner_id, credentialId, emails_owner],
  );
  if (!endpoint) throw new Error('INSERT INTO notification_endpoints returned no row');
  await insertSigningKey(transaction, { type: 'endpoint', id: endpoint.id }, secretBox);
  return endpoint.id;
}

/**
 * Reads an endpoint and locks it until the transaction ends.
 * @throws {NotFoundError} when there is no such endpoint
 */
export async function lockEndpointRow(transaction: Transaction, id: number): Promise<Endpoint> {
  await lockTopicIndex(transaction);
  const [endpoint] = await runStatement<Endpoint>(
    transaction,
    `SELECT id, name, destination_url, owner_id, emails_owner, own_subscription_id FROM notification_endpoints
     WHERE id = $1 FOR NO KEY UPDATE`,
    [id],
  );
  if (!endpoint) throw new NotFoundError(notificationEndpoints.type.name, id);
  return endpoint;
}

/**
 * Replaces the values of an endpoint. Its subscriptions and their pending deliveries get the new destination. When the
 * owner changes, only administrators can read the keys, because the credential that created the endpoint may not act
 * for the new owner. An endpoint that loses its destination becomes a shared endpoint for good, and clients read its
 * pending messages from its feed. Nothing changes when the new values equal the old ones.
 * @throws {ValidationError} `quota_exceeded` when the new owner has as many shared endpoints as the quota allows
 * @throws {NotFoundError} when there is no such endpoint
 */
export async function replaceEndpoint(
  transaction: Transaction,
  id: number,
  values: EndpointValues,
  secretBox: SecretBox,
): Promise<void> {
  const before = await lockEndpointRow(transaction, id);
  if (isDeepStrictEqual({ ...before, ...values }, before)) return;
  const { name, destination_url, owner_id, emails_owner } = values;
  const isShared = before.own_subscription_id === null;
  if (isShared && owner_id !== before.owner_id)
    await checkQuotas(transaction, notificationEndpoints, { owner_id }, ['owner_id']);
  // An endpoint without a destination becomes shared, because notifiers of the previous release do not send for shared
  // endpoints.
  if (destination_url === null) await shareEndpoint(transaction, id, secretBox);
  if (destination_url !== before.destination_url) await sendElsewhere(transaction, id, destination_url);
  // This update comes last, because a trigger may have renamed the endpoint when the subscription was changed.
  await runStatement(
    transaction,
    `UPDATE notification_endpoints SET name = $2, destination_url = $3, owner_id = $4, emails_owner = $5, updated_dt = ${KEY_TIME},
       credential_id = CASE WHEN owner_id IS NOT DISTINCT FROM $4 THEN credential_id END
     WHERE id = $1`,
    [id, name, destination_url, owner_id, emails_owner],
  );
}

/**
 * Changes the destination of an endpoint and of its subscriptions. The endpoint must change first, because a trigger
 * gives each subscription the destination of its shared endpoint.
 */
async function sendElsewhere(transaction: Transaction, id: number, url: string | null): Promise<void> {
  await runStatement(transaction, 'UPDATE notification_endpoints SET destination_url = $2 WHERE id = $1', [id, url]);
  const subscriptions = await runStatement<{ id: number }>(
    transaction,
    'SELECT id FROM notification_subscriptions WHERE endpoint_id = $1 ORDER BY id FOR NO KEY UPDATE',
    [id],
  );
  await runStatement(
    transaction,
    `UPDATE notification_subscriptions SET destination_url = $2, destination_origin = $3, updated_dt = ${KEY_TIME}
     WHERE endpoint_id = $1`,
    [id, url, originOf(url)],
  );
  const changed = subscriptions.map((subscription) => subscription.id);
  if (url === null) await movePending(transaction, changed, 'streamed');
}

/**
 * Deletes an endpoint without subscriptions.
 * @throws {ValidationError} `in_use` when it has subscriptions
 * @throws {NotFoundError} when there is no such endpoint
 */
export async function deleteEndpoint(transaction: Transaction, id: number): Promise<void> {
  await lockTopicIndex(transaction);
  await deleteUnusedItem(transaction, notificationEndpoints, id);
}

/** The event type and the datapaths of a topic. They decide which scopes are needed to read its messages. */
interface SubscribedTopic {
  readonly type: EventType;
  readonly datapaths: readonly string[];
}

/** Reads one topic, or all topics whose messages go to an endpoint. */
export const readTopicsOf = (
  transaction: Transaction,
  { topicId = null, endpointId = null }: { readonly topicId?: number | null; readonly endpointId?: number | null },
): Promise<SubscribedTopic[]> =>
  runStatement<SubscribedTopic>(
    transaction,
    `SELECT type, datapaths FROM notification_topics
     WHERE id = $1 OR id IN (SELECT topic_id FROM notification_subscriptions WHERE endpoint_id = $2) ORDER BY id`,
    [topicId, endpointId],
  );

/**
 * Moves a subscription to another endpoint, which becomes a shared endpoint for good. If it was the own endpoint of
 * another subscription, the owner of that subscription can still read the keys.
 * @throws {ValidationError} `quota_exceeded` when there are as many shared endpoints as a quota allows
 * @throws {NotFoundError} when there is no such endpoint
 */
export async function attachToEndpoint(
  transaction: Transaction,
  subscriptionId: number,
  endpointId: number,
  secretBox: SecretBox,
): Promise<void> {
  const endpoint = await lockEndpointRow(transaction, endpointId);
  if (endpoint.own_subscription_id === subscriptionId) return;
  if (endpoint.own_subscription_id !== null) {
    await checkQuotas(transaction, notificationEndpoints, { owner_id: endpoint.owner_id });
    await runStatement(
      transaction,
      `UPDATE notification_endpoints e SET credential_id = ${keyReaderOf('e')} WHERE id = $1`,
      [endpointId],
    );
  }
  await joinEndpoint(transaction, subscriptionId, endpointId, secretBox);
}
