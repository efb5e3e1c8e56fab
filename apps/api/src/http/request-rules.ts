import { randomUUID } from 'node:crypto';
import { type IncomingMessage } from 'node:http';
import { type FastifyInstance } from 'fastify';
import { DEFAULT_API_VERSION } from './negotiation.js';
import { Problem } from './problem.js';
import { sendProblem } from './problem.filter.js';

const SANE_REQUEST_ID = /^[A-Za-z0-9._:/+=-]{1,128}$/;

/** The caller's own id, when it is one that is safe in a header and a log; else a new one. Source: CONTRACT.md 1. */
export function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && SANE_REQUEST_ID.test(given) ? given : randomUUID();
}

/** What holds for every request, whether a route takes it or not. */
export function addRequestRules(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    void reply.headers({ 'x-request-id': request.id, 'api-version': DEFAULT_API_VERSION });
    const { headers, method } = request;
    // A PUT without a body must say so. Source: SPEC.md 1.
    if (method === 'PUT' && headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) {
      sendProblem(request, reply, new Problem(411, 'A PUT needs a Content-Length, 0 when it has no body'));
      return;
    }
    done();
  });

  fastify.addHook('onResponse', (request, reply, done) => {
    // The route's pattern, never the address itself: a search holds personal data.
    request.log.info(
      {
        method: request.method,
        route: request.routeOptions.url ?? null,
        status: reply.statusCode,
        durationMs: Math.round(reply.elapsedTime),
        credential: request.context?.actor.keyId,
      },
      'request',
    );
    done();
  });
}
