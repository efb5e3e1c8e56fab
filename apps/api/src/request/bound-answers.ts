import { MAX_ANSWER_BYTES } from '@ats/postgres';
import { type FastifyInstance, type FastifyRequest } from 'fastify';
import { answerTooLarge } from './answer-size.js';
import { writeProblem } from './problem.filter.js';

/** Maximum number of UTF-8 bytes of one UTF-16 code unit. */
const MAX_BYTES_PER_UNIT = 3;

/**
 * Answers a read with 400 when its answer is too large. The database limits the size, but the conversion to an older
 * version, for example, can exceed it. The answer to a write is always sent, because its changes are committed.
 */
export function boundAnswers(fastify: FastifyInstance): void {
  fastify.addHook('onSend', (request, reply, payload, done) => {
    if (!isRead(request) || reply.statusCode !== 200 || !isTooLarge(payload)) return done(null, payload);
    for (const name of ['etag', 'link', 'x-total-count']) void reply.removeHeader(name);
    done(null, writeProblem(request, reply, answerTooLarge(request)));
  });
}

/** True for a GET, and for a POST that sends the query of a collection. */
const isRead = ({ method, routeOptions: { url = '' } }: FastifyRequest): boolean =>
  method === 'GET' || (method === 'POST' && url.endsWith('/query'));

function isTooLarge(payload: unknown): boolean {
  if (Buffer.isBuffer(payload)) return payload.length > MAX_ANSWER_BYTES;
  if (typeof payload !== 'string' || payload.length * MAX_BYTES_PER_UNIT <= MAX_ANSWER_BYTES) return false;
  return Buffer.byteLength(payload) > MAX_ANSWER_BYTES;
}
