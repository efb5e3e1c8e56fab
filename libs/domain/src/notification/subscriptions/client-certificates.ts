import { isDeepStrictEqual } from 'node:util';
import { message } from '@ats/message';
import { runStatement, type Transaction } from '@ats/postgres';
import { type ReadSettings } from '../../reading/representation-sql.js';
import { clientCertificates } from '../../objects/client-certificate.model.js';
import { NotFoundError, ValidationError, type Violation } from '../../vocabulary/validation-error.js';
import { type SealedColumn } from '../../writing/sealed-column.js';
import { type SecretBox } from '../../writing/secret-box.js';
import { lockObject } from '../../writing/lock-object.js';
import { type ColumnValues, deleteObject, insertObject, replaceObject } from '../../writing/write-object.js';
import { type WriteBody } from '../../writing/write-schema.js';
import { certificatesIn, expiryOf, faultsOfPair, normalPair } from './certificate-pair.js';

/** A certificate and its private key, in PEM, with which the service authenticates itself at a destination. */
export interface ClientCertificate {
  /** The certificate, followed by the certificates of its issuers, if there are any. */
  readonly certificate: string;
  readonly private_key: string;
}

/** A stored certificate with its encrypted key. */
export interface SealedCertificate {
  readonly id: number;
  readonly certificate: string;
  readonly sealedKey: Buffer;
}

/** A checked body of a client certificate. Without `private_key`, the stored key stays. */
export type CertificateBody = WriteBody & Pick<ClientCertificate, 'certificate'> & Partial<ClientCertificate>;

/** The purpose of the key that encrypts private keys. The key is derived from `SECRET_KEY`. */
export const CLIENT_CERTIFICATE_PURPOSE = 'notification-client-certificate';

const contextOf = (id: number): string => `client_certificate:${id}`;

export const CLIENT_CERTIFICATE_COLUMN: SealedColumn = {
  table: 'client_certificates',
  column: 'sealed_private_key',
  purpose: CLIENT_CERTIFICATE_PURPOSE,
  primaryKey: { id: 'bigint' },
  contextOf: ({ id }) => contextOf(Number(id)),
};

/**
 * Decrypts the private key of a certificate.
 * @throws {SecretBoxError} when the key was encrypted with another `SECRET_KEY`
 */
export const openClientCertificate = (
  { id, certificate, sealedKey }: SealedCertificate,
  box: SecretBox,
): ClientCertificate => ({ certificate, private_key: box.open(sealedKey, contextOf(id)) });

/**
 * Stores a new certificate.
 * @returns the id of the certificate
 * @throws {ValidationError} when the pair is faulty or the key is missing
 */
export async function createClientCertificate(
  transaction: Transaction,
  body: CertificateBody,
  box: SecretBox,
): Promise<number> {
  const pair = checkedPair(body, null);
  const { certificate } = pair;
  const id = await insertObject(transaction, clientCertificates, { ...body, certificate }, factsOf(certificate));
  await storeKey(transaction, id, pair, box);
  return id;
}

/**
 * Replaces a certificate and its private key. Its endpoints use the new pair for their next connections. Without
 * `private_key`, the stored key stays and must belong to the certificate. A body with the stored certificate is not
 * checked again, so that an expired certificate can still get another name.
 * @throws {ValidationError} when the pair is faulty, or when another certificate comes without its key
 * @throws {NotFoundError} when there is no such certificate
 */
export async function replaceClientCertificate(
  transaction: Transaction,
  { id, body, settings }: { readonly id: number; readonly body: CertificateBody; readonly settings: ReadSettings },
  box: SecretBox,
): Promise<void> {
  await lockObject(transaction, clientCertificates, id);
  const [row] = await runStatement<SealedCertificate>(
    transaction,
    'SELECT id, certificate, sealed_private_key AS "sealedKey" FROM client_certificates WHERE id = $1',
    [id],
  );
  if (!row) throw new NotFoundError(clientCertificates.type.name, id);
  const present = openClientCertificate(row, box);
  const isKept = isNothing(body.private_key) && body.certificate === present.certificate;
  const pair = isKept ? present : checkedPair(body, present.private_key);
  const { certificate } = pair;
  const extra = factsOf(certificate);
  await replaceObject(transaction, clientCertificates, { id, body: { ...body, certificate }, extra }, settings);
  if (!isDeepStrictEqual(pair, present)) await storeKey(transaction, id, pair, box);
}

/**
 * Deletes a certificate.
 * @throws {ValidationError} `in_use` when endpoints use the certificate; the violation names the endpoints
 * @throws {NotFoundError} when there is no such certificate
 */
export async function deleteClientCertificate(transaction: Transaction, id: number): Promise<void> {
  await lockObject(transaction, clientCertificates, id);
  const endpoints = await runStatement<{ id: number }>(
    transaction,
    'SELECT id FROM notification_endpoints WHERE certificate_id = $1 ORDER BY id LIMIT 10',
    [id],
  );
  const [first] = endpoints;
  if (first) {
    const info = message`endpoints use this certificate: ${endpoints.map((endpoint) => endpoint.id).join(', ')}`;
    const existing = { resource: 'notification_endpoints', id: first.id };
    throw new ValidationError(clientCertificates.name, [
      { path: '', code: 'in_use', info, ...(endpoints.length === 1 && { existing }) },
    ]);
  }
  await deleteObject(transaction, clientCertificates, id);
}

const isNothing = (value: unknown): value is null | undefined => value === null || value === undefined;

/**
 * Returns the certificate and the private key of a body in the form in which they are stored.
 * @param presentKey  the key that stays when the body has none; null for a new certificate
 * @throws {ValidationError} with all faults
 */
function checkedPair({ certificate, ...body }: CertificateBody, presentKey: string | null): ClientCertificate {
  const isKept = isNothing(body.private_key);
  const private_key = body.private_key ?? presentKey;
  const faults: Violation[] = faultsOfPair({ certificate, private_key }, new Date()).map(({ part, info }) =>
    isKept && part === 'private_key'
      ? { path: '/private_key', code: 'missing' }
      : { path: `/${part}`, code: 'invalid', info },
  );
  if (isNothing(private_key)) faults.push({ path: '/private_key', code: 'missing' });
  if (faults.length > 0 || isNothing(private_key)) throw new ValidationError(clientCertificates.name, faults);
  return normalPair({ certificate, private_key });
}

/** Returns the values of the columns that describe the certificates. */
function factsOf(pem: string): ColumnValues {
  const certificates = certificatesIn(pem);
  const [first] = certificates;
  if (!first) throw new Error('a certificate text that passed its check contains no certificate');
  const { subject, issuer, serialNumber, fingerprint256, validFrom } = first;
  return {
    subject: nameIn(subject),
    issuer: nameIn(issuer),
    serial_number: serialNumber.toLowerCase(),
    fingerprint: fingerprint256.replaceAll(':', '').toLowerCase(),
    valid_from_dt: new Date(validFrom),
    valid_to_dt: expiryOf(certificates),
  };
}

/** Returns a distinguished name in one line, such as `O=Bank, CN=client`. It is empty when the certificate has none. */
const nameIn = (name: string | undefined): string => (name ?? '').split('\n').join(', ');

async function storeKey(
  transaction: Transaction,
  id: number,
  { private_key }: ClientCertificate,
  box: SecretBox,
): Promise<void> {
  await runStatement(transaction, 'UPDATE client_certificates SET sealed_private_key = $2 WHERE id = $1', [
    id,
    box.seal(private_key, contextOf(id)),
  ]);
}
