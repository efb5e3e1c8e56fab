import { KEYS_OF_ENDPOINT, type SealedCertificate, type SealedKey } from '@ats/domain';

/** The encrypted values of an endpoint that its messages need. */
export interface EndpointSecrets {
  readonly keys: readonly SealedKey[];
  /** The encrypted custom headers; null for an endpoint without any. */
  readonly sealedHeaders: Buffer | null;
  /** The encrypted authentication; null for an endpoint without one. */
  readonly sealedAuthentication: Buffer | null;
  /** The client certificate with its encrypted key; null for an endpoint without one. */
  readonly certificate: SealedCertificate | null;
}

/**
 * SQL that returns the secrets of an endpoint as JSON.
 * @param endpointId  SQL expression of the endpoint's id
 */
export const secretsSql = (endpointId: string): string => `(
  SELECT json_build_object('headers', encode(e.sealed_headers, 'base64'),
    'authentication', encode(e.sealed_authentication, 'base64'),
    'certificate', (SELECT json_build_object('id', c.id, 'pem', c.certificate,
      'key', encode(c.sealed_private_key, 'base64')) FROM client_certificates c WHERE c.id = e.certificate_id), 'keys', (
    SELECT json_agg(json_build_object(
      'context', k.context,
      'sealed', encode(k.sealed_key, 'base64'),
      'activeFrom', (extract(epoch FROM k.active_from_dt) * 1000)::bigint,
      'expires', (extract(epoch FROM k.expires_dt) * 1000)::bigint) ORDER BY k.active_from_dt, k.id)
    FROM ${KEYS_OF_ENDPOINT} k))
  FROM notification_endpoints e WHERE e.id = ${endpointId})`;

/** The secrets of an endpoint, as {@link secretsSql} returns them. Null when there is no endpoint. */
export type SecretsJson = {
  readonly headers: string | null;
  readonly authentication: string | null;
  readonly certificate: { readonly id: number; readonly pem: string; readonly key: string } | null;
  readonly keys:
    | readonly {
        readonly context: string;
        readonly sealed: string;
        readonly activeFrom: number;
        readonly expires: number | null;
      }[]
    | null;
} | null;

const bytes = (base64: string): Buffer => Buffer.from(base64, 'base64');
const bytesOrNull = (base64: string | null | undefined): Buffer | null =>
  typeof base64 === 'string' ? bytes(base64) : null;

const toCertificate = ({ id, pem, key }: NonNullable<NonNullable<SecretsJson>['certificate']>): SealedCertificate => ({
  id,
  certificate: pem,
  sealedKey: bytes(key),
});

export const toSecrets = (secrets: SecretsJson): EndpointSecrets => ({
  keys: (secrets?.keys ?? []).map(({ context, sealed, activeFrom, expires }) => ({
    context,
    sealed_key: bytes(sealed),
    active_from_dt: new Date(activeFrom),
    expires_dt: expires === null ? null : new Date(expires),
  })),
  sealedHeaders: bytesOrNull(secrets?.headers),
  sealedAuthentication: bytesOrNull(secrets?.authentication),
  certificate: secrets?.certificate ? toCertificate(secrets.certificate) : null,
});
