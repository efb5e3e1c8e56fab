import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type ServerResponse } from 'node:http';
import { type Socket } from 'node:net';
import { message } from '@ats/message';
import { type FastifyServerOptions } from 'fastify';
import { VERSIONS } from '../versions/versions.js';
import { localisedJson } from './localised-json.js';
import { languageOf, statedVersion } from './negotiation.js';
import { requestIdOf } from './request-rules.js';

const ANSWERS: Readonly<Record<string, readonly [status: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The request line and headers are larger than 16 KiB'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request took too long to arrive'],
};

/** A request that is not HTTP: answered by hand, since there is no request to answer. */
export const answerMalformedRequest: NonNullable<FastifyServerOptions['clientErrorHandler']> = (error, socket: Socket) => {
  if (socket.destroyed || !socket.writable || error.code === 'ECONNRESET') return void socket.destroy();
  const [status, text] = ANSWERS[error.code] ?? ['400 Bad Request', 'The request is not valid HTTP'];
  const id = randomUUID();
  const body = JSON.stringify({ message: text, request_id: id });
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

/** An `Expect` header with something else than `100-continue`: no route has seen the request, but its headers can be read. */
export function refuseExpectation(request: IncomingMessage, response: ServerResponse): void {
  const { headers } = request;
  const [id, language] = [requestIdOf(request), languageOf({ headers })];
  const said = message`The only expectation that can be met is ${'100-continue'}`;
  response
    .writeHead(417, {
      'content-type': 'application/json; charset=utf-8',
      'content-language': language,
      vary: 'Api-Version, Accept-Language',
      'x-request-id': id,
      'api-version': statedVersion(headers['api-version']),
    })
    .end(localisedJson({ message: said, request_id: id }, language));
}
