import { type AttemptError } from './attempt-outcome.js';

const BY_CODE: ReadonlyMap<string, AttemptError> = new Map([
  ['UND_ERR_CONNECT_TIMEOUT', 'connect_timeout'],
  ['ETIMEDOUT', 'connect_timeout'],
  ['ECONNREFUSED', 'connection_refused'],
  ['ENETUNREACH', 'unreachable'],
  ['EHOSTUNREACH', 'unreachable'],
  ['EADDRNOTAVAIL', 'unreachable'],
  ['ECONNRESET', 'connection_lost'],
  ['EPIPE', 'connection_lost'],
  ['UND_ERR_SOCKET', 'connection_lost'],
  ['UND_ERR_HEADERS_OVERFLOW', 'bad_response'],
  ['UND_ERR_RES_EXCEEDED_MAX_SIZE', 'bad_response'],
  ['UND_ERR_HEADERS_TIMEOUT', 'timeout'],
  ['EPROTO', 'tls'],
]);

const TLS_CODE = /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_MISMATCH|INVALID_CA|CRL_)/;

/** The class of a failed exchange, from the codes of Node, OpenSSL and undici. */
export function classifyError(error: unknown): AttemptError {
  if (isParserError(error)) return 'bad_response';
  const code = codeOf(error);
  if (code === undefined) return 'failed';
  if (TLS_CODE.test(code)) return 'tls';
  return BY_CODE.get(code) ?? 'failed';
}

/** What is no HTTP has no code of its own in every case. */
const isParserError = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'name' in error && error.name === 'HTTPParserError';

/** Errors of sockets wrap others, and those that tried several addresses hold one for each. */
function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, errors, cause } = error as { readonly code?: unknown; readonly errors?: unknown; readonly cause?: unknown };
  if (typeof code === 'string') return code;
  return Array.isArray(errors) ? codeOf(errors[0]) : codeOf(cause);
}
