import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import { message, type Message } from '@ats/message';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;
const MAX_CERTIFICATES = 10;

/** A fault of the certificate or of the private key of a pair. */
export interface PairFault {
  readonly part: 'certificate' | 'private_key';
  readonly info: Message;
}

interface Pair<Key> {
  readonly certificate: string;
  readonly private_key: Key;
}

/**
 * Reads the certificates of a PEM text: the certificate of the client, then the certificates of its issuers. Skips
 * other text, such as the comments that tools write between certificates.
 * @throws when a certificate cannot be read
 */
export const certificatesIn = (pem: string): readonly X509Certificate[] =>
  (pem.match(CERTIFICATE) ?? []).map((one) => new X509Certificate(one));

/** Returns the time at which the first of these certificates expires. */
export const expiryOf = (certificates: readonly X509Certificate[]): Date =>
  new Date(Math.min(...certificates.map(({ validTo }) => Date.parse(validTo))));

/** Returns a valid pair of a certificate and a private key in the form in which it is stored. */
export const normalPair = ({ certificate, private_key }: Pair<string>): Pair<string> => ({
  certificate: certificatesIn(certificate).join(''),
  private_key: String(createPrivateKey(private_key).export({ type: 'pkcs8', format: 'pem' })),
});

/**
 * Checks a certificate and its private key.
 * @param private_key  null when it is missing; then only the certificate is checked
 * @returns all faults; none when TLS can use the pair at the time `now`
 */
export function faultsOfPair({ certificate, private_key }: Pair<string | null>, now: Date): readonly PairFault[] {
  const certificates = orNull(() => certificatesIn(certificate)) ?? [];
  const faults: PairFault[] = certificates.flatMap((one) => validityFaults(one, now));
  if (certificates.length === 0 || certificates.length > MAX_CERTIFICATES)
    faults.push({ part: 'certificate', info: message`expected 1 to ${MAX_CERTIFICATES} certificates in PEM` });
  if (private_key === null) return faults;
  const key = orNull(() => createPrivateKey(private_key));
  if (!key) faults.push({ part: 'private_key', info: message`expected a private key in PEM without a password` });
  else if (certificates[0]) faults.push(...keyFaults(certificates, certificates[0], key));
  return faults;
}

function validityFaults({ validFrom, validTo }: X509Certificate, now: Date): readonly PairFault[] {
  const [from, to] = [new Date(validFrom), new Date(validTo)];
  if (from <= now && now < to) return [];
  const info = message`the certificate is valid from ${from.toISOString()} to ${to.toISOString()}`;
  return [{ part: 'certificate', info }];
}

function keyFaults(chain: readonly X509Certificate[], first: X509Certificate, key: KeyObject): readonly PairFault[] {
  if (!first.checkPrivateKey(key))
    return [{ part: 'private_key', info: message`this key does not belong to the first certificate` }];
  // OpenSSL throws when a key or a hash algorithm is too weak.
  const context = orNull(() =>
    createSecureContext({ cert: chain.join(''), key: key.export({ type: 'pkcs8', format: 'pem' }) }),
  );
  return context
    ? []
    : [{ part: 'certificate', info: message`TLS accepts no certificate with such a weak key or hash` }];
}

function orNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
