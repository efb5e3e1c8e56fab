import { isDeepStrictEqual } from 'node:util';
import { type Transaction } from '@ats/postgres';
import { notificationEndpoints } from '../../objects/notification-endpoint.model.js';
import { ValidationError } from '../../vocabulary/validation-error.js';
import { endpointSecret, type SecretOptions } from './endpoint-secret.js';
import { lockEndpointRow } from './endpoints.js';

/** The data with which the service gets access tokens for a destination from an OAuth 2 server. */
export interface OAuthClient {
  readonly token_url: string;
  readonly client_id: string;
  readonly client_secret: string;
  readonly scope: string | null;
}

/** The purpose of the key that encrypts authentications. The key is derived from `SECRET_KEY`. */
export const AUTHENTICATION_PURPOSE = 'notification-authentication';

/**
 * Functions that read and decrypt the authentication of an endpoint, see `EndpointSecret`. Null for an endpoint without
 * one.
 */
export const {
  column: AUTHENTICATION_COLUMN,
  open: openAuthentication,
  read: readAuthentication,
  store: storeAuthentication,
} = endpointSecret<OAuthClient>('sealed_authentication', AUTHENTICATION_PURPOSE);

/**
 * Replaces the authentication of an endpoint. An endpoint with an authentication becomes shared for good.
 * @param wanted  null for none; a client without a secret keeps the present secret of the same client
 * @throws {ValidationError} `missing` when there is no secret to keep
 * @throws {NotFoundError} when there is no such endpoint
 */
export async function replaceAuthentication(
  transaction: Transaction,
  endpointId: number,
  wanted: (Omit<OAuthClient, 'client_secret'> & Partial<OAuthClient>) | null,
  options: SecretOptions,
): Promise<void> {
  await lockEndpointRow(transaction, endpointId);
  const present = await readAuthentication(transaction, endpointId, options.ofSecret);
  const kept = options.keepsSecret ? present : null;
  const client = wanted && { ...wanted, client_secret: wanted.client_secret ?? secretOf(kept, wanted) };
  if (!isDeepStrictEqual(client, present)) await storeAuthentication(transaction, endpointId, client, options);
}

/**
 * Returns the present secret only for the same client and token URL. Otherwise a change could send it to another
 * server.
 */
function secretOf(
  present: OAuthClient | null,
  { token_url, client_id }: Pick<OAuthClient, 'token_url' | 'client_id'>,
): string {
  if (present?.token_url === token_url && present.client_id === client_id) return present.client_secret;
  const violation = { path: '/authentication/client_secret', code: 'missing' } as const;
  throw new ValidationError(notificationEndpoints.name, [violation]);
}
