import { message } from '@ats/message';
import { type FastifyInstance, type FastifyRequest } from 'fastify';
import { parseJsonBytes } from '../vocabulary/json-bytes.js';
import { Problem } from '../vocabulary/problem.js';

const JSON_TYPE = 'application/json';

/** What a browser sends for a form on a page. */
export const FORM_TYPE = 'application/x-www-form-urlencoded';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What a route's bodies are written in; JSON unless told. */
    readonly bodyType?: string;
  }
}

const MESSAGES = {
  noUtf8: message`The request body is not valid UTF-8`,
  noJson: message`The request body is not valid JSON`,
};

const PARSERS: Readonly<Record<string, (body: Buffer) => unknown>> = {
  [JSON_TYPE]: (body) => parseJsonBytes(body, MESSAGES),
  [FORM_TYPE]: (body) => Object.fromEntries(new URLSearchParams(body.toString())),
  // Of an older version: its bytes are left for `OlderRequests`.
  'multipart/form-data': (body) => body,
};

/**
 * Accepts the one type of bodies that a route has in the version that was asked for. An empty body is no body, so that a `PUT` with
 * `Content-Length: 0` passes under any type.
 */
export function acceptBodies(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  // Other types are read, too, before they are refused: a connection with more to come would break under the answer.
  for (const type of [...Object.keys(PARSERS), '*']) {
    fastify.addContentTypeParser<Buffer>(type, { parseAs: 'buffer' }, (request, body, done) => {
      if (body.length === 0 || request.is404) return done(null, undefined);
      const expected = expectedType(request);
      const parse = type === expected ? PARSERS[type] : undefined;
      if (!parse) return done(wrongType(request));
      try {
        done(null, parse(body));
      } catch (error) {
        done(error as Problem);
      }
    });
  }
}

const expectedType = ({ adaptation, routeOptions }: FastifyRequest): string =>
  adaptation?.media?.type ?? routeOptions.config.bodyType ?? JSON_TYPE;

/** To a body of another type than the route has in the version that was asked for, or of none that can be read. */
export const wrongType = (request: FastifyRequest): Problem =>
  new Problem(415, message`The request body must be sent as ${expectedType(request)}`);
