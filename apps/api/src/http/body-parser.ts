import { type FastifyInstance } from 'fastify';
import { Problem } from './problem.js';

/**
 * JSON and nothing else, as RFC 8259 has it: in UTF-8, so that no wrong byte becomes another character in silence. An empty
 * body is no body, so that a `PUT` with `Content-Length: 0` passes under any type; `__proto__` keys are refused like other
 * malformed JSON.
 */
export function acceptJsonOnly(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  const parseJson = fastify.getDefaultJsonParser('error', 'error');
  const decoder = new TextDecoder('utf-8', { fatal: true });
  fastify.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (body.length === 0) return done(null, undefined);
    let text: string;
    try {
      text = decoder.decode(body);
    } catch {
      return done(new Problem(400, 'The request body is not valid UTF-8'));
    }
    void parseJson(request, text, done);
  });
}
