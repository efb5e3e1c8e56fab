import { type FastifyInstance } from 'fastify';

/**
 * JSON and nothing else. An empty body is no body, so that a `PUT` with `Content-Length: 0` passes under any type;
 * `__proto__` keys are refused like other malformed JSON.
 */
export function acceptJsonOnly(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  const parseJson = fastify.getDefaultJsonParser('error', 'error');
  fastify.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.length === 0) done(null, undefined);
    else void parseJson(request, body as string, done);
  });
}
