import { isDeepStrictEqual } from 'node:util';
import { runStatement, type Transaction } from '@ats/postgres';
import { keyReaderOf, notificationEndpoints } from '../../objects/notification-endpoint.model.js';
import { NotFoundError } from '../../vocabulary/validation-error.js';
import { type SecretBox } from '../../writing/secret-box.js';
import { deleteUnusedItem } from '../../writing/write-object.js';
import { lockTopicIndex } from '../topics/topic-index-lock.js';
import { joinEndpoint } from './endpoint-keys.js';
import { insertSigningKey, KEY_TIME } from './signing-keys.js';

/** The validated values of a client. The URL is allowed. */
export interface EndpointValues {
  readonly name: string;
  readonly destination_url: string;
  /** The recruiter who owns the endpoint. */
  readonly owner_id: number | null;
}

export interface Endpoint extends EndpointValues {
  readonly id: number;
  /** The only subscription of the endpoint; null for an endpoint that subscriptions can share. */
  readonly own_subscription_id: number | null;
}

/** Stores a new endpoint without subscriptions, and its first signing key. @returns the id */
export async function createEndpoint(
  transaction: Transaction,
  { name, destination_url, owner_id, credentialId }: EndpointValues & { readonly credentialId: number },
  secretBox: SecretBox,
): Promise<number> {
  const [endpoint] = await runStatement<{ id: number }>(
    transaction,
    `INSERT INTO notification_endpoints (name, destination_url, owner_id, credential_id) VALUES ($1, $2, $3, $4)
     RETURNING id`,
    [name, destination_url, owner_id, credentialId],
  );
  if (!endpoint) throw new Error('an insert returned no row');
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
    `SELECT id, name, destination_url, owner_id, own_subscription_id FROM notification_endpoints WHERE id = $1
     FOR NO KEY UPDATE`,
    [id],
  );
  if (!endpoint) throw new NotFoundError(notificationEndpoints.type.name, id);
  return endpoint;
}

/**
 * Replaces an endpoint. Its subscriptions get the new destination, to which their pending deliveries go, too. Nothing
 * changes when the new values equal the old ones.
 * @throws {NotFoundError} when there is no such endpoint
 */
export async function replaceEndpoint(transaction: Transaction, id: number, values: EndpointValues): Promise<void> {
  const before = await lockEndpointRow(transaction, id);
  if (isDeepStrictEqual({ ...before, ...values }, before)) return;
  const { name, destination_url, owner_id } = values;
  if (destination_url !== before.destination_url) await sendElsewhere(transaction, id, destination_url);
  // Comes last: a trigger may have renamed the endpoint after its subscription changed.
  await runStatement(
    transaction,
    `UPDATE notification_endpoints SET name = $2, destination_url = $3, owner_id = $4, updated_dt = ${KEY_TIME}
     WHERE id = $1`,
    [id, name, destination_url, owner_id],
  );
}

async function sendElsewhere(transaction: Transaction, id: number, url: string): Promise<void> {
  await runStatement(
    transaction,
    'SELECT FROM notification_subscriptions WHERE endpoint_id = $1 ORDER BY id FOR NO KEY UPDATE',
    [id],
  );
  await runStatement(
    transaction,
    `UPDATE notification_subscriptions SET destination_url = $2, destination_origin = $3, updated_dt = ${KEY_TIME}
     WHERE endpoint_id = $1`,
    [id, url, new URL(url).origin],
  );
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

export interface KeyAccess {
  /** The credential that may read the keys of the endpoint. Null for no credential. */
  readonly readerId: number | null;
  /** True for an endpoint that several subscriptions can have. */
  readonly isShared: boolean;
}

/** @throws {NotFoundError} when there is no such endpoint */
export async function readKeyAccess(transaction: Transaction, endpointId: number): Promise<KeyAccess> {
  const [access] = await runStatement<KeyAccess>(
    transaction,
    `SELECT ${keyReaderOf('e')} AS "readerId", e.own_subscription_id IS NULL AS "isShared"
     FROM notification_endpoints e WHERE e.id = $1`,
    [endpointId],
  );
  if (!access) throw new NotFoundError(notificationEndpoints.type.name, endpointId);
  return access;
}

/**
 * Moves a subscription to another endpoint, which is shared from now on. The owner of the subscription that had the
 * endpoint alone continues to read the keys.
 * @throws {NotFoundError} when there is no such endpoint
 */
export async function attachToEndpoint(
  transaction: Transaction,
  subscriptionId: number,
  endpointId: number,
  secretBox: SecretBox,
): Promise<void> {
  await lockTopicIndex(transaction);
  await runStatement(
    transaction,
    `UPDATE notification_endpoints e SET credential_id = ${keyReaderOf('e')}
     WHERE id = $1 AND own_subscription_id <> $2`,
    [endpointId, subscriptionId],
  );
  await joinEndpoint(transaction, subscriptionId, endpointId, secretBox);
}
