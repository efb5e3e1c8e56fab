import { type AttemptError } from './attempt-outcome.js';
import { BadResponseError, TimeoutError } from './exchange.js';
import { HandshakeError } from './pinned-socket.js';

const BY_CODE: ReadonlyMap<string, AttemptError> = new Map([
  ['ETIMEDOUT', 'connect_timeout'],
  ['ERR_SOCKET_CONNECTION_TIMEOUT', 'connect_timeout'],
  ['ECONNREFUSED', 'connection_refused'],
  ['ENETUNREACH', 'unreachable'],
  ['EHOSTUNREACH', 'unreachable'],
  ['ENETDOWN', 'unreachable'],
  ['EHOSTDOWN', 'unreachable'],
  ['EADDRNOTAVAIL', 'unreachable'],
  ['EACCES', 'unreachable'],
  ['EPERM', 'unreachable'],
  ['ECONNRESET', 'connection_lost'],
  ['ECONNABORTED', 'connection_lost'],
  ['EPIPE', 'connection_lost'],
  ['EPROTO', 'tls'],
]);

/** Returns the error code of a failed attempt. It is derived from the error codes of Node and OpenSSL. */
export function classifyError(error: unknown): AttemptError {
  if (error instanceof TimeoutError) return 'timeout';
  if (error instanceof BadResponseError) return 'bad_response';
  if (error instanceof HandshakeError) return 'tls';
  const code = codeOf(error) ?? '';
  if (code.startsWith('HPE_')) return 'bad_response';
  // Some servers reject a client only after the handshake, with a TLS alert.
  if (code.startsWith('ERR_SSL_')) return 'tls';
  return BY_CODE.get(code) ?? 'failed';
}

/** Error codes for a lack of memory or file descriptors on this machine. The destination does not cause such errors. */
const SHORTAGES: ReadonlySet<string | undefined> = new Set(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM']);

export const isShortage = (error: unknown): boolean => SHORTAGES.has(codeOf(error));

/**
 * Returns the code of a socket error. The error can contain others: one as `cause`, or one for each IP address that was
 * tried.
 */
function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, errors, cause } = error as {
    readonly code?: unknown;
    readonly errors?: unknown;
    readonly cause?: unknown;
  };
  if (typeof code === 'string') return code;
  return Array.isArray(errors) ? codeOf(errors[0]) : codeOf(cause);
}
