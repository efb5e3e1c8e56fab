import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type ServerResponse } from 'node:http';
import { type Socket } from 'node:net';
import { type Duplex } from 'node:stream';
import { type Logger } from '@ats/logging';
import { message } from '@ats/message';
import { type FastifyServerOptions } from 'fastify';
import { networkOf } from '../limits/address.js';
import { VERSIONS } from '../versions/versions.js';
import { Problem } from '../vocabulary/problem.js';
import { type Authentication } from './authentication.js';
import { localisedJson } from './localised-json.js';
import { languageOf, statedVersion } from './negotiation.js';
import { logRefusedEarly } from './request-log.js';
import { requestIdOf } from './request-rules.js';

const ANSWERS: Readonly<Record<string, readonly [status: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The request line and headers are larger than 16 KiB'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request took too long to arrive'],
};

/** For a client to read why, and to hang up itself; one that goes on to send is not listened to any longer. */
const HANG_UP_MS = 1_000;

/** A request that is not HTTP, or does not come to its end: answered by hand, since there is no request to answer. */
export const answerMalformedRequests =
  (log: Logger): NonNullable<FastifyServerOptions['clientErrorHandler']> =>
  (error, socket: Socket) => {
    if (socket.destroyed || !socket.writable || error.code === 'ECONNRESET') return void socket.destroy();
    const [status, text] = ANSWERS[error.code] ?? ['400 Bad Request', 'The request is not valid HTTP'];
    answerByHand(socket, { log, status, text, code: error.code });
  };

/** CONNECT, which asks for a tunnel: Node has no request for it, and would close the connection without a word. */
export const refuseTunnels =
  (log: Logger) =>
  (_request: IncomingMessage, socket: Duplex): void => {
    answerByHand(socket as Socket, {
      log,
      status: '405 Method Not Allowed',
      text: 'CONNECT is not allowed: this is no proxy',
    });
  };

interface ByHand {
  readonly log: Logger;
  readonly status: string;
  readonly text: string;
  readonly code?: string;
}

function answerByHand(socket: Socket, { log, status, text, code }: ByHand): void {
  const id = randomUUID();
  logRefusedEarly(log, { requestId: id, status: Number.parseInt(status), code, from: socket });
  const body = JSON.stringify({ message: text, request_id: id });
  socket.on('error', () => socket.destroy());
  setTimeout(() => socket.destroy(), HANG_UP_MS).unref();
  socket.end(
    [
      `HTTP/1.1 ${status}`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      `x-request-id: ${id}`,
      `api-version: ${VERSIONS.default}`,
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}

interface Surroundings {
  readonly logger: Logger;
  readonly authentication: Authentication;
}

/** An `Expect` header with something else than `100-continue`: no route has seen the request, but its headers can be read. It does not reject. */
export async function refuseExpectation(
  request: IncomingMessage,
  response: ServerResponse,
  { logger, authentication }: Surroundings,
): Promise<void> {
  const { headers, socket } = request;
  const id = requestIdOf(request);
  const { state, problem, credential } = await outcomeOf(request, authentication);
  const language = languageOf({ headers, presetLanguage: credential?.language });
  logRefusedEarly(logger, { requestId: id, status: problem.status, from: socket });
  response
    .writeHead(problem.status, {
      'content-type': 'application/json; charset=utf-8',
      'content-language': language,
      vary: 'Api-Version, Accept-Language',
      'x-request-id': id,
      'api-version': statedVersion(headers['api-version']),
      ...state,
      ...problem.options.headers,
    })
    .end(localisedJson({ message: problem.text, request_id: id }, language));
}

async function outcomeOf(request: IncomingMessage, authentication: Authentication) {
  const unmet = new Problem(417, message`The only expectation that can be met is ${'100-continue'}`);
  if (!authentication.isLimited(request)) return { problem: unmet };
  // Who asks may not be known: the database may be away.
  const result = await authentication
    .check(request.headers.authorization, networkOf({ ip: '', socket: request.socket }))
    .catch(() => null);
  result?.release?.();
  return { state: result?.headers, credential: result?.credential, problem: result?.refusal ?? unmet };
}
