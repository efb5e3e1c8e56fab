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

/** Returns the error code of a failed exchange, from the codes of Node and OpenSSL. */
export function classifyError(error: unknown): AttemptError {
  if (error instanceof TimeoutError) return 'timeout';
  if (error instanceof BadResponseError) return 'bad_response';
  if (error instanceof HandshakeError) return 'tls';
  const code = codeOf(error) ?? '';
  if (code.startsWith('HPE_')) return 'bad_response';
  // Some servers reject a client only after the handshake.
  if (code.startsWith('ERR_SSL_')) return 'tls';
  return BY_CODE.get(code) ?? 'failed';
}

/** This machine lacks a resource for connections, so the destination is not at fault. */
const SHORTAGES: ReadonlySet<string | undefined> = new Set(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM']);

export const isShortage = (error: unknown): boolean => SHORTAGES.has(codeOf(error));

/** Socket errors can wrap other errors: one as `cause`, or one for each address that was tried. */
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
