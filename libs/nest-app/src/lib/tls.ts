import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext, type Server } from 'node:tls';
import { EnvironmentError, type EnvironmentOf } from '@ats/configuration';
import { type tlsVariables } from '@ats/domain';
import { type Logger } from '@ats/logging';
import { ShutdownSignal } from '@nestjs/common';

export type TlsEnvironment = EnvironmentOf<typeof tlsVariables>;

/** A certificate chain and its private key, as PEM. */
export interface Certificate {
  readonly cert: Buffer;
  readonly key: Buffer;
}

/**
 * Reads the certificate of `TLS_CERT_FILE` and `TLS_KEY_FILE`.
 * @returns undefined when they are not set
 * @throws {EnvironmentError} when a file is unreadable or malformed, or the key belongs to another certificate
 * Source: docs/reference/operations.md, "TLS".
 */
export function readCertificate({ TLS_CERT_FILE, TLS_KEY_FILE }: TlsEnvironment): Certificate | undefined {
  if (TLS_CERT_FILE === undefined || TLS_KEY_FILE === undefined) return undefined;
  const cert = readFile('TLS_CERT_FILE', TLS_CERT_FILE);
  const key = readFile('TLS_KEY_FILE', TLS_KEY_FILE);
  const certificate = parse('TLS_CERT_FILE', 'must contain a certificate as PEM', () => new X509Certificate(cert));
  const privateKey = parse('TLS_KEY_FILE', 'must contain a private key as PEM without a passphrase', () =>
    createPrivateKey(key),
  );
  if (!certificate.checkPrivateKey(privateKey))
    throw violation('TLS_KEY_FILE', 'must contain the private key of the certificate in TLS_CERT_FILE');
  parse('TLS_CERT_FILE', 'must contain a chain of certificates that TLS can use', () =>
    createSecureContext({ cert, key }),
  );
  return { cert, key };
}

/**
 * Reloads the certificate at each SIGHUP. Open connections keep the certificate with which they began. When the new
 * files cannot be used, the present certificate stays in use.
 * @param server  returns the server, which does not exist yet while the app is created
 * @returns a function to call once the server exists. It reloads the certificate if a signal has arrived before.
 */
export function reloadOnHangUp(environment: TlsEnvironment, log: Logger, server: () => Server | undefined): () => void {
  let isPending = false;
  const reload = (): void => {
    const found = server();
    isPending = found === undefined;
    if (!found) return;
    try {
      const certificate = readCertificate(environment);
      if (!certificate) return;
      found.setSecureContext(certificate);
      log.info({ certificate: describe(certificate) }, 'the TLS certificate was reloaded');
    } catch (error) {
      const reason = error instanceof EnvironmentError ? { violations: error.violations } : { err: error };
      log.error(reason, 'the TLS certificate could not be reloaded, the previous one stays in use');
    }
  };
  process.on('SIGHUP', reload);
  return () => {
    if (isPending) reload();
  };
}

/**
 * Returns the signals that end an app. SIGHUP is not among them when there is a certificate, because it reloads the
 * certificate then.
 */
export const shutdownSignals = (certificate: Certificate | undefined): ShutdownSignal[] =>
  Object.values(ShutdownSignal).filter((signal) => signal !== ShutdownSignal.SIGHUP || certificate === undefined);

/** Describes a certificate for the log. */
export function describe({ cert }: Certificate): { readonly names: string | undefined; readonly valid_to: string } {
  const { subjectAltName, validTo } = new X509Certificate(cert);
  return { names: subjectAltName, valid_to: new Date(validTo).toISOString() };
}

type TlsVariable = keyof typeof tlsVariables;

const violation = (variable: TlsVariable, info: string): EnvironmentError => new EnvironmentError([{ variable, info }]);

function readFile(variable: TlsVariable, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw violation(variable, `must name a file that the process can read (${(error as NodeJS.ErrnoException).code})`);
  }
}

function parse<Parsed>(variable: TlsVariable, info: string, read: () => Parsed): Parsed {
  try {
    return read();
  } catch {
    throw violation(variable, info);
  }
}
