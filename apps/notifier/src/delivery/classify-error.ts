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
  const code = codeOf(error);
  if (code === undefined) return 'failed';
  if (TLS_CODE.test(code)) return 'tls';
  if (code.startsWith('HPE_')) return 'bad_response';
  return BY_CODE.get(code) ?? 'failed';
}

function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  return codeOf(error.cause);
}
