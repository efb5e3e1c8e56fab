import { message } from '@ats/message';
import { type FastifyRequest } from 'fastify';
import { unauthorized } from '../request/context-builder.js';
import { Problem } from '../vocabulary/problem.js';
import { GRANT_TYPE } from './token-request.dto.js';

/** The errors that this service gives at the token endpoint. Source: RFC 6749 5.2. */
export const OAUTH_ERRORS = [
  'invalid_request',
  'invalid_client',
  'unsupported_grant_type',
  'invalid_scope',
  'temporarily_unavailable',
  'server_error',
] as const;

export type OAuthErrorCode = (typeof OAUTH_ERRORS)[number];

const TEXTS = {
  invalid_request: message`The token request lacks a parameter, repeats one, or authenticates the client in two ways`,
  unsupported_grant_type: message`The only supported value of ${'grant_type'} is ${GRANT_TYPE}`,
  invalid_scope: message`The parameter ${'scope'} names a scope that does not exist or that the credential lacks`,
};

/**
 * Maps error codes of the OAuth library to codes of this service. The library answers `unauthorized_client` for a grant
 * that the client may not use. All clients have the same single grant, so the grant is an unsupported one.
 */
const OTHER_CODES: Readonly<Record<string, keyof typeof TEXTS>> = { unauthorized_client: 'unsupported_grant_type' };

/** Returns the answer for an error of the token endpoint. */
export function oauthProblem(code: string, { headers }: Pick<FastifyRequest, 'headers'>): Problem {
  if (code === 'invalid_client') {
    const { status, text, options } = unauthorized(headers);
    return new Problem(status, text, { ...options, details: { error: code } });
  }
  const known = isKnown(code) ? code : (OTHER_CODES[code] ?? 'invalid_request');
  return new Problem(400, TEXTS[known], { details: { error: known } });
}

/**
 * Returns the properties that RFC 6749 5.2 adds to each error body of the token endpoint. Errors that every route can
 * have, such as 429, get them, too.
 */
export function oauthErrorDetails({ status, text, options }: Problem): Readonly<Record<string, unknown>> {
  return { error: options.details?.['error'] ?? errorOf(status), error_description: inAscii(String(text)) };
}

function errorOf(status: number): OAuthErrorCode {
  if (status === 429 || status === 503) return 'temporarily_unavailable';
  return status >= 500 ? 'server_error' : 'invalid_request';
}

/** Returns a text with only the characters that RFC 6749 allows in a description. */
const inAscii = (text: string): string =>
  text
    .replaceAll('"', "'")
    .replaceAll('\\', '/')
    .replaceAll(/[^\x20-\x7e]/g, '?');

const isKnown = (code: string): code is keyof typeof TEXTS => Object.hasOwn(TEXTS, code);
