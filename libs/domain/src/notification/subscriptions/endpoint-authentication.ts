import { isDeepStrictEqual } from 'node:util';
import { runStatement, type Transaction } from '@ats/postgres';
import { notificationEndpoints } from '../../objects/notification-endpoint.model.js';
import { ValidationError } from '../../vocabulary/validation-error.js';
import { shareEndpoint } from './endpoint-keys.js';
import { endpointSecret, type SecretOptions } from './endpoint-secret.js';
import { lockEndpointRow } from './endpoints.js';
import { KEY_TIME } from './signing-keys.js';

/** The data with which the service gets access tokens for a destination from an OAuth 2 server. */
export interface OAuthClient {
  readonly token_url: string;
  readonly client_id: string;
  readonly client_secret: string;
  readonly scope: string | null;
}

/**
 * The authentication in a request body. Null removes the stored authentication. An OAuth client without `client_secret`
 * keeps the stored secret of the same client.
 */
export type WantedAuthentication =
  | (Omit<OAuthClient, 'client_secret'> & Partial<OAuthClient>)
  | { readonly certificate_id: number }
  | null;

/** The purpose of the key that encrypts authentications. The key is derived from `SECRET_KEY`. */
export const AUTHENTICATION_PURPOSE = 'notification-authentication';

/**
 * Functions that read, decrypt and store the OAuth client of an endpoint, see `EndpointSecret`. They return null for an
 * endpoint without an OAuth client.
 */
export const {
  column: AUTHENTICATION_COLUMN,
  open: openAuthentication,
  read: readAuthentication,
  store: storeAuthentication,
} = endpointSecret<OAuthClient>('sealed_authentication', AUTHENTICATION_PURPOSE);

/**
 * Replaces the authentication of an endpoint. The first authentication makes the endpoint a shared endpoint for good:
 * the signing keys of its subscription move to the endpoint, see {@link shareEndpoint}.
 * @param wanted  null removes the authentication; an OAuth client without `client_secret` keeps the stored secret of
 *   the same client
 * @throws {ValidationError} `missing` when the body omits a secret that is not stored, or names a certificate that does
 *   not exist
 * @throws {NotFoundError} when there is no such endpoint
 */
export async function replaceAuthentication(
  transaction: Transaction,
  endpointId: number,
  wanted: WantedAuthentication,
  options: SecretOptions,
): Promise<void> {
  await lockEndpointRow(transaction, endpointId);
  const present = await readAuthentication(transaction, endpointId, options.ofSecret);
  const kept = options.keepsSecret ? present : null;
  const oauth = wanted && 'token_url' in wanted ? wanted : null;
  const client = oauth && { ...oauth, client_secret: oauth.client_secret ?? secretOf(kept, oauth) };
  if (!isDeepStrictEqual(client, present)) await storeAuthentication(transaction, endpointId, client, options);
  const certificateId = wanted && 'certificate_id' in wanted ? wanted.certificate_id : null;
  if (certificateId !== (await readCertificateId(transaction, endpointId)))
    await storeCertificateId(transaction, endpointId, certificateId, options);
}

/** Reads the id of the client certificate of an endpoint. Null for an endpoint without one. */
export async function readCertificateId(transaction: Transaction, endpointId: number): Promise<number | null> {
  const [row] = await runStatement<{ id: number | null }>(
    transaction,
    'SELECT certificate_id AS id FROM notification_endpoints WHERE id = $1',
    [endpointId],
  );
  return row?.id ?? null;
}

/**
 * Stores the id of the client certificate. A lock prevents the deletion of the certificate until the transaction ends.
 */
async function storeCertificateId(
  transaction: Transaction,
  endpointId: number,
  id: number | null,
  { ofSigningKeys }: SecretOptions,
): Promise<void> {
  if (id !== null) {
    const found = await runStatement(transaction, 'SELECT FROM client_certificates WHERE id = $1 FOR KEY SHARE', [id]);
    const violation = { path: '/authentication/certificate_id', code: 'missing' } as const;
    if (found.length === 0) throw new ValidationError(notificationEndpoints.name, [violation]);
    await shareEndpoint(transaction, endpointId, ofSigningKeys);
  }
  await runStatement(
    transaction,
    `UPDATE notification_endpoints SET certificate_id = $2, updated_dt = ${KEY_TIME} WHERE id = $1`,
    [endpointId, id],
  );
}

/**
 * Returns the stored secret only for the same client and token URL. Otherwise a change of the URL could send the secret
 * to another server.
 */
function secretOf(
  present: OAuthClient | null,
  { token_url, client_id }: Pick<OAuthClient, 'token_url' | 'client_id'>,
): string {
  if (present?.token_url === token_url && present.client_id === client_id) return present.client_secret;
  const violation = { path: '/authentication/client_secret', code: 'missing' } as const;
  throw new ValidationError(notificationEndpoints.name, [violation]);
}
