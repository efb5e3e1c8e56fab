import { isDeepStrictEqual } from 'node:util';
import { runStatement, type Transaction } from '@ats/postgres';
import { notificationEndpoints } from '../../objects/notification-endpoint.model.js';
import { ValidationError } from '../../vocabulary/validation-error.js';
import { type SealedColumn } from '../../writing/sealed-column.js';
import { type SecretBox } from '../../writing/secret-box.js';
import { shareEndpoint } from './endpoint-keys.js';
import { lockEndpointRow } from './endpoints.js';
import { KEY_TIME } from './signing-keys.js';

/** The service as a client of an OAuth 2 server, which issues the access tokens for the destination of an endpoint. */
export interface OAuthClient {
  readonly token_url: string;
  readonly client_id: string;
  readonly client_secret: string;
  readonly scope: string | null;
}

/** The purpose for which the encryption key of authentications is derived from `SECRET_KEY`. */
export const AUTHENTICATION_PURPOSE = 'notification-authentication';

const contextOf = (endpointId: number): string => `endpoint:${endpointId}`;

export const AUTHENTICATION_COLUMN: SealedColumn = {
  table: 'notification_endpoints',
  column: 'sealed_authentication',
  purpose: AUTHENTICATION_PURPOSE,
  primaryKey: { id: 'bigint' },
  contextOf: ({ id }) => contextOf(Number(id)),
};

/**
 * Decrypts the authentication of an endpoint.
 * @param sealed  null for an endpoint without authentication
 * @throws {SecretBoxError} when it was encrypted with another `SECRET_KEY`
 */
export const openAuthentication = (
  sealed: Buffer | null,
  endpointId: number,
  secretBox: SecretBox,
): OAuthClient | null =>
  sealed === null ? null : (JSON.parse(secretBox.open(sealed, contextOf(endpointId))) as OAuthClient);

/**
 * Reads the authentication of an endpoint.
 * @returns null for an endpoint without authentication, and when there is no such endpoint
 * @throws {SecretBoxError} when it was encrypted with another `SECRET_KEY`
 */
export async function readAuthentication(
  transaction: Transaction,
  endpointId: number,
  secretBox: SecretBox,
): Promise<OAuthClient | null> {
  const [row] = await runStatement<{ sealed: Buffer | null }>(
    transaction,
    'SELECT sealed_authentication AS sealed FROM notification_endpoints WHERE id = $1',
    [endpointId],
  );
  return openAuthentication(row?.sealed ?? null, endpointId, secretBox);
}

export interface AuthenticationOptions {
  readonly ofAuthentication: SecretBox;
  readonly ofSigningKeys: SecretBox;
  /** False when the messages go to another origin now: a client that cannot read the secret must not use it there. */
  readonly keepsSecret: boolean;
}

/**
 * Replaces the authentication of an endpoint. An endpoint that gets one is shared from now on, because notifiers of the
 * previous release would send its messages without it.
 * @param wanted  null for none; a client without a secret keeps the present secret of the same client
 * @throws {ValidationError} `missing` when there is no secret to keep
 * @throws {NotFoundError} when there is no such endpoint
 */
export async function replaceAuthentication(
  transaction: Transaction,
  endpointId: number,
  wanted: (Omit<OAuthClient, 'client_secret'> & Partial<OAuthClient>) | null,
  { ofAuthentication, ofSigningKeys, keepsSecret }: AuthenticationOptions,
): Promise<void> {
  await lockEndpointRow(transaction, endpointId);
  const present = await readAuthentication(transaction, endpointId, ofAuthentication);
  const client = wanted && { ...wanted, client_secret: wanted.client_secret ?? secretOf(present, wanted, keepsSecret) };
  if (isDeepStrictEqual(client, present)) return;
  if (client) await shareEndpoint(transaction, endpointId, ofSigningKeys);
  await runStatement(
    transaction,
    `UPDATE notification_endpoints SET sealed_authentication = $2, updated_dt = ${KEY_TIME} WHERE id = $1`,
    [endpointId, client && ofAuthentication.seal(JSON.stringify(client), contextOf(endpointId))],
  );
}

/** A secret is kept for the same client at the same server alone. Otherwise a change could send it to another server. */
function secretOf(
  present: OAuthClient | null,
  { token_url, client_id }: Pick<OAuthClient, 'token_url' | 'client_id'>,
  keepsSecret: boolean,
): string {
  if (keepsSecret && present?.token_url === token_url && present.client_id === client_id) return present.client_secret;
  const violation = { path: '/authentication/client_secret', code: 'missing' } as const;
  throw new ValidationError(notificationEndpoints.name, [violation]);
}
