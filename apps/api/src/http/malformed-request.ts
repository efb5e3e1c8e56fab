import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type ServerResponse } from 'node:http';
import { type Socket } from 'node:net';
import { type FastifyServerOptions } from 'fastify';
import { VERSIONS } from '../versions/versions.js';

const ANSWERS: Readonly<Record<string, readonly [status: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The request line and headers are larger than 16 KiB'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request took too long to arrive'],
};

/** A request that is not HTTP: answered by hand, since there is no request to answer. */
export const answerMalformedRequest: NonNullable<FastifyServerOptions['clientErrorHandler']> = (error, socket: Socket) => {
  if (socket.destroyed || !socket.writable || error.code === 'ECONNRESET') return void socket.destroy();
  const [status, message] = ANSWERS[error.code] ?? ['400 Bad Request', 'The request is not valid HTTP'];
  const id = randomUUID();
  const body = JSON.stringify({ message, request_id: id });
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
};

/** An `Expect` header with something else than `100-continue`. */
export function refuseExpectation(_request: IncomingMessage, response: ServerResponse): void {
  const id = randomUUID();
  response
    .writeHead(417, { 'content-type': 'application/json; charset=utf-8', 'x-request-id': id, 'api-version': VERSIONS.default })
    .end(JSON.stringify({ message: 'The only expectation that can be met is 100-continue', request_id: id }));
}
