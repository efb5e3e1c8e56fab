import { type Requirement, variable } from '@ats/configuration';
import { z } from 'zod';

/** The variables of the certificate with which an app serves HTTPS itself. */
export const tlsVariables = {
  TLS_CERT_FILE: variable({
    schema: z.string(),
    description: 'PEM file with the certificate chain. With `TLS_KEY_FILE`, the app serves HTTPS. SIGHUP reloads both.',
    whenAbsent: 'the app serves HTTP, and a proxy terminates TLS',
    example: '/run/tls/tls.crt',
  }),
  TLS_KEY_FILE: variable({
    schema: z.string(),
    description: 'PEM file with the private key of the certificate in `TLS_CERT_FILE`, without a passphrase.',
    whenAbsent: 'the app serves HTTP',
    example: '/run/tls/tls.key',
  }),
} as const;

/** Requires that the certificate and its key are both set, or neither. */
export const tlsRequirements: readonly Requirement<typeof tlsVariables>[] = [
  {
    variable: 'TLS_CERT_FILE',
    with: ['TLS_KEY_FILE'],
    violation: ({ TLS_CERT_FILE, TLS_KEY_FILE }) =>
      TLS_KEY_FILE !== undefined && TLS_CERT_FILE === undefined ? 'must be set, because TLS_KEY_FILE is set' : null,
  },
  {
    variable: 'TLS_KEY_FILE',
    with: ['TLS_CERT_FILE'],
    violation: ({ TLS_CERT_FILE, TLS_KEY_FILE }) =>
      TLS_CERT_FILE !== undefined && TLS_KEY_FILE === undefined ? 'must be set, because TLS_CERT_FILE is set' : null,
  },
];
