import { randomUUID } from 'node:crypto';
import { type IncomingMessage } from 'node:http';
import { message } from '@ats/message';
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { Problem } from '../vocabulary/problem.js';
import { type Authentication } from './authentication.js';
import { statedVersion } from './negotiation.js';
import { sendProblem } from './problem.filter.js';
import { logAtEnd } from './request-log.js';

const SANE_REQUEST_ID = /^[A-Za-z0-9._:/+=-]{1,128}$/;

/** The caller's own id, when it is one that is safe in a header and a log; else a new one. Source: CONTRACT.md 1. */
export function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && SANE_REQUEST_ID.test(given) ? given : randomUUID();
}

/** What every answer carries, and what it depends on as long as it is not known who asks. Source: CONTRACT.md 1 and 9. */
function markAnswer(request: FastifyRequest, reply: FastifyReply): void {
  void reply.headers({
    'x-request-id': request.id,
    'api-version': statedVersion(request.headers['api-version']),
    vary: 'Api-Version, Accept-Language',
  });
}

function problemOf({ raw, headers, method }: FastifyRequest): Problem | null {
  if (raw.httpVersion === '1.1' && headers.host === undefined)
    return new Problem(400, message`An HTTP/1.1 request needs a Host header`);
  // A PUT without a body must say so. Source: SPEC.md 1.
  const hasLength = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
  return method === 'PUT' && !hasLength
    ? new Problem(411, message`A PUT needs a Content-Length, 0 when it has no body`)
    : null;
}

/** Answers a path that cannot be decoded: no route is looked for, and nothing that holds for every request has run. It does not reject. */
export async function refusePath(
  authentication: Authentication,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  logAtEnd(request, reply);
  markAnswer(request, reply);
  // Who asks may not be known: the database may be away.
  const refusal = await authentication.authenticate(request, reply).catch(() => null);
  request.release?.();
  sendProblem(request, reply, refusal ?? new Problem(400, message`The path of the request is not valid`));
}

/** What every answer carries, whatever becomes of its request. */
export function markAnswers(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    logAtEnd(request, reply);
    markAnswer(request, reply);
    done();
  });
}

/** What holds for every request, whether a route takes it or not. */
export function addRequestRules(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    const problem = problemOf(request);
    if (problem) sendProblem(request, reply, problem);
    else done();
  });
}
