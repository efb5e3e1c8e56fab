import { constants, generateKeyPairSync, privateEncrypt } from 'node:crypto';
import { md, pki } from 'node-forge';

/** A certificate and its private key in PEM format. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

export interface CertificateOptions {
  /** The host name that the certificate is valid for. */
  readonly host: string;
  /** Start and end of the validity, in days from now. They default to -1 and 1. */
  readonly from?: number;
  readonly until?: number;
}

const DAY_MS = 86_400_000;
/** All certificates share one key, because generating a key is slow. */
let sharedKey: ReturnType<typeof generateKey> | undefined;
const key = (): ReturnType<typeof generateKey> => (sharedKey ??= generateKey());

const generateKey = () =>
  generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });

/** The start of a `DigestInfo` of SHA-256 in DER (RFC 8017 9.2, note 1). The digest follows it. */
const SHA_256 = Buffer.from('3031300d060960864801650304020105000420', 'hex');

/** Signs a digest with the shared key (RSASSA-PKCS1-v1_5). Node signs a hundred times faster than node-forge. */
const signed = (digest: md.MessageDigest): string =>
  privateEncrypt(
    { key: key().privateKey, padding: constants.RSA_PKCS1_PADDING },
    Buffer.concat([SHA_256, Buffer.from(digest.digest().getBytes(), 'latin1')]),
  ).toString('latin1');

let lastSerial = 0;

function makeCertificate({
  subject,
  issuer,
  from = -1,
  until = 1,
  extensions,
}: {
  readonly subject: string;
  readonly issuer: string;
  readonly from?: number | undefined;
  readonly until?: number | undefined;
  readonly extensions: object[];
}): string {
  const certificate = pki.createCertificate();
  certificate.publicKey = pki.publicKeyFromPem(key().publicKey);
  certificate.serialNumber = `0${((lastSerial += 1)).toString(16)}`;
  certificate.validity.notBefore = new Date(Date.now() + from * DAY_MS);
  certificate.validity.notAfter = new Date(Date.now() + until * DAY_MS);
  certificate.setSubject([{ name: 'commonName', value: subject }]);
  certificate.setIssuer([{ name: 'commonName', value: issuer }]);
  certificate.setExtensions(extensions);
  certificate.sign({ sign: signed } as unknown as pki.rsa.PrivateKey, md.sha256.create());
  return pki.certificateToPem(certificate);
}

/** Returns the extensions of a certificate that both servers and clients can use. */
const extensionsFor = (host: string): object[] => [
  { name: 'basicConstraints', cA: false },
  { name: 'extKeyUsage', serverAuth: true, clientAuth: true },
  { name: 'subjectAltName', altNames: [{ type: 2, value: host }] },
];

/** A certificate authority. Clients that have its certificate trust the certificates that it issues. */
export class Authority {
  readonly cert: string;

  constructor(private readonly name: string) {
    this.cert = makeCertificate({
      subject: name,
      issuer: name,
      extensions: [
        { name: 'basicConstraints', cA: true },
        { name: 'keyUsage', keyCertSign: true },
      ],
    });
  }

  issue({ host, from, until }: CertificateOptions): Certificate {
    return {
      cert: makeCertificate({ subject: host, issuer: this.name, from, until, extensions: extensionsFor(host) }),
      key: key().privateKey,
    };
  }
}

export const selfSigned = ({ host, from, until }: CertificateOptions): Certificate => ({
  cert: makeCertificate({ subject: host, issuer: host, from, until, extensions: extensionsFor(host) }),
  key: key().privateKey,
});
