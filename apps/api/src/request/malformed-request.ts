import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type ServerResponse } from 'node:http';
import { type Socket } from 'node:net';
import { type Duplex } from 'node:stream';
import { type Logger } from '@ats/logging';
import { message } from '@ats/message';
import { type FastifyServerOptions } from 'fastify';
import { addressOf, networkOf } from '../limits/address.js';
import { VERSIONS } from '../versions/versions.js';
import { Problem } from '../vocabulary/problem.js';
import { type Authentication } from './authentication.js';
import { tokenOf } from './credential-store.js';
import { localisedJson } from './localised-json.js';
import { languageOf, statedVersion } from './negotiation.js';
import { logRefusedEarly } from './request-log.js';
import { requestIdOf } from './request-rules.js';
import { VARY } from './vary.js';

const ANSWERS: Readonly<Record<string, readonly [status: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The request line and headers are larger than 16 KiB'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request took too long to arrive'],
};

/** Time in ms for the client to read the answer and close the connection. After this time the server closes it. */
const HANG_UP_MS = 1_000;

/**
 * Answers a request that is not valid HTTP or does not arrive in full. Node has no request object for it, so the answer
 * is written to the socket.
 */
export const answerMalformedRequests =
  (log: Logger): NonNullable<FastifyServerOptions['clientErrorHandler']> =>
  (error, socket: Socket) => {
    // When the TLS handshake has failed, no answer can be sent.
    const isHandshake = /^ERR_(SSL|TLS)_/.test(error.code);
    if (isHandshake)
      log.debug({ code: error.code, remote_address: socket.remoteAddress }, 'the TLS handshake of a client failed');
    if (isHandshake || socket.destroyed || !socket.writable || error.code === 'ECONNRESET')
      return void socket.destroy();
    const [status, text] = ANSWERS[error.code] ?? ['400 Bad Request', 'The request is not valid HTTP'];
    answerOnSocket(socket, { log, status, text, code: error.code });
  };

/** Answers CONNECT with 405. Without this listener, Node would close the connection without an answer. */
export const refuseTunnels =
  (log: Logger) =>
  (_request: IncomingMessage, socket: Duplex): void => {
    answerOnSocket(socket as Socket, {
      log,
      status: '405 Method Not Allowed',
      text: 'CONNECT is not allowed: this server is not a proxy',
    });
  };

interface SocketAnswer {
  readonly log: Logger;
  readonly status: string;
  readonly text: string;
  readonly code?: string;
}

function answerOnSocket(socket: Socket, { log, status, text, code }: SocketAnswer): void {
  const id = randomUUID();
  logRefusedEarly(log, { requestId: id, status: Number.parseInt(status), code, from: socket });
  const body = JSON.stringify({ message: text, request_id: id });
  socket.on('error', () => socket.destroy());
  setTimeout(() => socket.destroy(), HANG_UP_MS).unref();
  socket.end(
    [
      `HTTP/1.1 ${status}`,
      'content-type: application/json; charset=utf-8',
      'x-content-type-options: nosniff',
      `content-length: ${Buffer.byteLength(body)}`,
      `x-request-id: ${id}`,
      `api-version: ${VERSIONS.default}`,
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}

interface ExpectationDependencies {
  readonly logger: Logger;
  readonly authentication: Authentication;
}

/**
 * Answers 417 to an `Expect` header other than `100-continue`. Node does not pass such a request to the routes, but its
 * headers can be read. The promise never rejects.
 */
export async function refuseExpectation(
  request: IncomingMessage,
  response: ServerResponse,
  { logger, authentication }: ExpectationDependencies,
): Promise<void> {
  const { headers, socket } = request;
  const id = requestIdOf(request);
  const { state, problem, credential } = await outcomeOf(request, id, authentication);
  const language = languageOf({ headers, presetLanguage: credential?.language });
  logRefusedEarly(logger, { requestId: id, status: problem.status, from: socket });
  response
    .writeHead(problem.status, {
      'content-type': 'application/json; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'content-language': language,
      vary: VARY,
      'x-request-id': id,
      'api-version': statedVersion(headers['api-version']),
      ...state,
      ...problem.options.headers,
    })
    .end(localisedJson({ message: problem.text, ...problem.options.details, request_id: id }, language));
}

async function outcomeOf(request: IncomingMessage, id: string, authentication: Authentication) {
  const unmet = new Problem(417, message`The only supported value of the header Expect is ${'100-continue'}`);
  if (!authentication.isLimited(request)) return { problem: unmet };
  // When the database is unavailable, the credential is unknown. The answer then has no rate limit headers.
  const sender = { ip: '', socket: request.socket };
  const result = await authentication
    .check(tokenOf(request.headers.authorization), {
      network: networkOf(sender),
      address: addressOf(sender),
      requestId: id,
    })
    .catch(() => null);
  result?.release?.(0);
  return { state: result?.headers, credential: result?.credential, problem: result?.refusal ?? unmet };
}
