import { isDeepStrictEqual } from 'node:util';
import { runStatement, type Transaction } from '@ats/postgres';
import { notificationEndpoints } from '../../objects/notification-endpoint.model.js';
import { ValidationError } from '../../vocabulary/validation-error.js';
import { certificatesIn, expiryOf, normalPair } from './certificate-pair.js';
import { endpointSecret, type SecretOptions } from './endpoint-secret.js';
import { lockEndpointRow } from './endpoints.js';

/** The certificate and the private key, in PEM, with which the service authenticates itself at a destination. */
export interface ClientCertificate {
  /** The certificate, followed by the certificates of its issuers, if there are any. */
  readonly certificate: string;
  readonly private_key: string;
}

/** A client certificate in a body. Without a key, the present one stays. */
export type WantedClientCertificate = Pick<ClientCertificate, 'certificate'> & Partial<ClientCertificate>;

/** The purpose for which the encryption key of client certificates is derived from `SECRET_KEY`. */
export const CLIENT_CERTIFICATE_PURPOSE = 'notification-client-certificate';

const secret = endpointSecret<ClientCertificate>('sealed_client_certificate', CLIENT_CERTIFICATE_PURPOSE);

/** Decrypts and reads the client certificate of an endpoint, see `EndpointSecret`. Null for an endpoint without one. */
export const { column: CLIENT_CERTIFICATE_COLUMN, open: openClientCertificate, read: readClientCertificate } = secret;

/**
 * Replaces the client certificate of an endpoint. An endpoint that gets one is shared from now on.
 * @param wanted  a valid pair, or the present certificate without its key; null for none
 * @throws {ValidationError} `missing` when there is no key to keep
 * @throws {NotFoundError} when there is no such endpoint
 */
export async function replaceClientCertificate(
  transaction: Transaction,
  endpointId: number,
  wanted: WantedClientCertificate | null,
  options: SecretOptions,
): Promise<void> {
  await lockEndpointRow(transaction, endpointId);
  const present = await readClientCertificate(transaction, endpointId, options.ofSecret);
  const pair = wanted && pairOf(wanted, options.keepsSecret ? present : null);
  if (isDeepStrictEqual(pair, present)) return;
  await secret.store(transaction, endpointId, pair, options);
  await runStatement(
    transaction,
    'UPDATE notification_endpoints SET client_certificate_expires_dt = $2 WHERE id = $1',
    [endpointId, pair && expiryOf(certificatesIn(pair.certificate))],
  );
}

/** Keeps a key only for the same certificate. Another one has another key. */
function pairOf(
  { certificate, private_key }: WantedClientCertificate,
  kept: ClientCertificate | null,
): ClientCertificate {
  const pair = normalPair({ certificate, private_key: private_key ?? kept?.private_key ?? null });
  if (pair.private_key !== null && (private_key !== undefined || pair.certificate === kept?.certificate))
    return { certificate: pair.certificate, private_key: pair.private_key };
  const violation = { path: '/client_certificate/private_key', code: 'missing' } as const;
  throw new ValidationError(notificationEndpoints.name, [violation]);
}
