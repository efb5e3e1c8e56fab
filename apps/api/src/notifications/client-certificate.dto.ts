import {
  type ClientCertificate,
  faultsOfPair,
  type JsonSchema,
  optionalProperty,
  type Violation,
  type WantedClientCertificate,
} from '@ats/domain';
import { z } from 'zod';
import { isJsonObject } from '../vocabulary/merge-patch.js';
import { strictObject } from '../vocabulary/operation.js';

/** Maximum length of each half of a pair in characters. */
const MAX_LENGTH = 20_000;

/** The schema of `client_certificate` in bodies. */
export const clientCertificateSchema = optionalProperty(
  z.strictObject({
    certificate: z.string().min(1).max(MAX_LENGTH).describe('In PEM, followed by the certificates of its issuers.'),
    private_key: optionalProperty(z.string().min(1).max(MAX_LENGTH)).describe(
      'In PEM without a password. Never shown. Without it, the present key stays, unless `certificate` or ' +
        '`destination_url` changes.',
    ),
  }),
).describe(
  'The certificate with which the service authenticates itself in TLS, to the destination and to `token_url`. ' +
    '`health` shows when it expires.',
);

/** Returns the violations of a client certificate in a body that may violate its schema. */
export function clientCertificateViolations(body: unknown, now: Date): readonly Violation[] {
  const { data } = clientCertificateSchema.safeParse(isJsonObject(body) ? body['client_certificate'] : undefined);
  if (!data) return [];
  const { certificate, private_key = null } = data as WantedClientCertificate;
  return faultsOfPair({ certificate, private_key }, now).map(({ part, info }) => ({
    path: `/client_certificate/${part}`,
    code: 'invalid',
    info,
  }));
}

/** Returns the client certificate as clients see it, without the private key. */
export const shownClientCertificate = (pair: ClientCertificate | null): object | null =>
  pair && { certificate: pair.certificate };

export const CLIENT_CERTIFICATE_ANSWER: JsonSchema = {
  anyOf: [strictObject({ certificate: { type: 'string' } }), { type: 'null' }],
  description: 'The certificate of the service, in PEM. The private key is never shown.',
};
