import { generateKeyPairSync } from 'node:crypto';
import { md, pki } from 'node-forge';

const DAY_MS = 86_400_000;

export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** Makes a self-signed certificate for `localhost` in PEM. Only clients that trust it explicitly accept it. */
export function selfSigned(): Certificate {
  const keys = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const certificate = pki.createCertificate();
  const name = [{ name: 'commonName', value: 'localhost' }];
  certificate.publicKey = pki.publicKeyFromPem(keys.publicKey);
  certificate.serialNumber = '01';
  certificate.validity.notBefore = new Date(Date.now() - DAY_MS);
  certificate.validity.notAfter = new Date(Date.now() + DAY_MS);
  certificate.setSubject(name);
  certificate.setIssuer(name);
  certificate.setExtensions([
    { name: 'basicConstraints', cA: true },
    { name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] },
  ]);
  certificate.sign(pki.privateKeyFromPem(keys.privateKey), md.sha256.create());
  return { cert: pki.certificateToPem(certificate), key: keys.privateKey };
}
