import { type StoredAnswer } from '@ats/domain';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { sendItem } from '../collections/resource-reader.js';

/** Sends what a POST has made. */
export function sendAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  { status, headers, body }: StoredAnswer,
): void {
  sendItem(request, reply.status(status).headers(headers), body);
}
