import { idSchema, type JsonSchema, type OAuthClient, oneOf, optionalProperty, type Violation } from '@ats/domain';
import { message, packed } from '@ats/message';
import { z } from 'zod';
import { evenIfInvalid, isGiven } from '../request/body.js';
import { isJsonObject } from '../vocabulary/merge-patch.js';

const OAUTH = 'oauth2_client_credentials';
const CERTIFICATE = 'client_certificate';
const TYPES = ['none', OAUTH, CERTIFICATE] as const;
const MAX_LENGTH = 1_024;
/** The characters of client ids, client secrets and scopes in RFC 6749, appendix A. */
const VISIBLE = /^[ -~]+$/;
const SCOPE = /^[!#-[\]-~]+(?: [!#-[\]-~]+)*$/;

const visible = z
  .string()
  .max(MAX_LENGTH)
  .regex(VISIBLE, { error: packed(message`expected visible ASCII characters and spaces`) });

const given = (body: unknown, type: string, name: string): boolean =>
  isJsonObject(body) && (body['type'] !== type || isGiven(body[name]));

const authentication = z
  .strictObject({
    type: oneOf(TYPES),
    token_url: optionalProperty(z.string().min(1).max(2_048)).describe(
      'The URL of the token endpoint. The rules for `destination_url` apply.',
    ),
    client_id: optionalProperty(visible),
    client_secret: optionalProperty(visible).describe(
      'Never shown. Without it, the present secret stays, unless `token_url`, `client_id` or `destination_url` changes.',
    ),
    scope: optionalProperty(
      z
        .string()
        .max(MAX_LENGTH)
        .regex(SCOPE, { error: packed(message`expected scopes, with one space between them`) }),
    ),
    certificate_id: optionalProperty(idSchema),
  })
  .refine((body) => given(body, OAUTH, 'token_url'), { ...evenIfInvalid, path: ['token_url'] })
  .refine((body) => given(body, OAUTH, 'client_id'), { ...evenIfInvalid, path: ['client_id'] })
  .refine((body) => given(body, CERTIFICATE, 'certificate_id'), { ...evenIfInvalid, path: ['certificate_id'] });

/** The schema of `authentication` in bodies. Its output is `WantedAuthentication`. */
export const authenticationSchema = optionalProperty(
  authentication.transform(({ type, token_url, client_id, client_secret, scope, certificate_id }) => {
    if (type === CERTIFICATE) return { certificate_id };
    if (type === 'none') return null;
    return { token_url, client_id, scope: scope ?? null, ...(client_secret !== undefined && { client_secret }) };
  }),
).describe(
  'How messages authenticate the service at the destination. With `oauth2_client_credentials`, the service requests ' +
    'an access token from `token_url` and sends it as `Authorization: Bearer`. With `client_certificate`, it uses the ' +
    'client certificate `certificate_id` in TLS. Properties of other types have no effect.',
);

/** Returns the token URL of a body that may violate its schema. */
export function tokenUrlOf(body: unknown): string | undefined {
  const { authentication: value } = isJsonObject(body) ? body : {};
  const { type, token_url: url } = isJsonObject(value) ? value : {};
  return type === OAUTH && typeof url === 'string' && url.length > 0 && url.length <= 2_048 ? url : undefined;
}

/**
 * Returns the violation of a body that has both an `authorization` header and an authentication with access tokens.
 * Both would set this header.
 */
export function authorizationViolations(body: unknown): readonly Violation[] {
  const { authentication: value, custom_headers: headers } = isJsonObject(body) ? body : {};
  if (!isJsonObject(value) || value['type'] !== OAUTH || !isJsonObject(headers)) return [];
  const name = Object.keys(headers).find((header) => header.toLowerCase() === 'authorization');
  const info = message`${'authentication'} sets this header`;
  return name === undefined ? [] : [{ path: `/custom_headers/${name}`, code: 'invalid', info }];
}

/** Returns the authentication as clients see it, without the secret. */
export const shownAuthentication = (client: OAuthClient | null, certificateId: number | null): object => ({
  type: certificateId === null ? (client ? OAUTH : 'none') : CERTIFICATE,
  token_url: client?.token_url ?? null,
  client_id: client?.client_id ?? null,
  scope: client?.scope ?? null,
  certificate_id: certificateId,
});

const nullableText = { type: ['string', 'null'] };

export const AUTHENTICATION_ANSWER: JsonSchema = {
  type: 'object',
  properties: {
    type: { type: 'string', enum: TYPES },
    token_url: nullableText,
    client_id: nullableText,
    scope: nullableText,
    certificate_id: { type: ['integer', 'null'] },
  },
  required: ['type', 'token_url', 'client_id', 'scope', 'certificate_id'],
  additionalProperties: false,
  description: 'How messages authenticate the service at the destination. The client secret is never shown.',
};
