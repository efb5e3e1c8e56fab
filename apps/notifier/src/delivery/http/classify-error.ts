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

/** The class of a failed exchange, from the codes of Node and of OpenSSL. */
export function classifyError(error: unknown): AttemptError {
  if (error instanceof TimeoutError) return 'timeout';
  if (error instanceof BadResponseError) return 'bad_response';
  if (error instanceof HandshakeError) return 'tls';
  const code = codeOf(error) ?? '';
  if (code.startsWith('HPE_')) return 'bad_response';
  // Some servers refuse a client only after the handshake.
  if (code.startsWith('ERR_SSL_')) return 'tls';
  return BY_CODE.get(code) ?? 'failed';
}

/** This machine is out of what a connection needs: that says nothing about the destination. */
const SHORTAGES: ReadonlySet<string | undefined> = new Set(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM']);

export const isShortage = (error: unknown): boolean => SHORTAGES.has(codeOf(error));

/** Errors of sockets wrap others, and those that tried several addresses hold one for each. */
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
