import { message } from '@ats/message';
import { type FastifyInstance, type FastifyRequest } from 'fastify';
import { parseJsonBytes } from '../vocabulary/json-bytes.js';
import { MERGE_PATCH } from '../vocabulary/merge-patch.js';
import { Problem } from '../vocabulary/problem.js';

const JSON_TYPE = 'application/json';

/** The media type that a browser sends for an HTML form. */
export const FORM_TYPE = 'application/x-www-form-urlencoded';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Media type of the bodies that the route accepts. Defaults to `application/json`. */
    readonly bodyType?: string;
    /** True when the handler converts bodies of older versions itself. */
    readonly convertsBody?: boolean;
    /** True when the handler itself reads the bytes of the body as a stream, whatever the media type is. */
    readonly streamsBody?: boolean;
    /** True when the route answers 400 to a request without a body. */
    readonly requiresBody?: boolean;
  }
}

const MESSAGES = {
  noUtf8: message`The request body is not valid UTF-8`,
  noJson: message`The request body is not valid JSON`,
};

const PARSERS: Readonly<Record<string, (body: Buffer) => unknown>> = {
  [JSON_TYPE]: (body) => parseJsonBytes(body, MESSAGES),
  [MERGE_PATCH]: (body) => parseJsonBytes(body, MESSAGES),
  [FORM_TYPE]: (body) => formOf(new URLSearchParams(body.toString())),
  // Does not parse form data. Only older minor versions accept it as a parsed body, and `OlderRequests` parses it for
  // them.
  'multipart/form-data': (body) => body,
};

/** Returns the parameters of a form. A repeated parameter gets the list of its values, which every route rejects. */
const formOf = (form: URLSearchParams): object =>
  Object.fromEntries(
    [...new Set(form.keys())].map((name) => {
      const values = form.getAll(name);
      return [name, values.length === 1 ? values[0] : values];
    }),
  );

/**
 * Accepts only the media type that the route has in the negotiated version. An empty body counts as no body, so a `PUT`
 * with `Content-Length: 0` is accepted with any media type. `ProblemFilter` answers 400 where a
 * body is required.
 */
export function acceptBodies(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  // Reads the whole body before it answers 415. Closing the connection earlier could destroy the answer.
  for (const type of [...Object.keys(PARSERS), '*']) {
    fastify.addContentTypeParser<Buffer>(type, { parseAs: 'buffer' }, (request, body, done) => {
      if (body.length === 0 || request.is404) return done(null, undefined);
      const parse = acceptedTypes(request).includes(type) ? PARSERS[type] : undefined;
      if (!parse) return done(wrongType(request));
      try {
        done(null, parse(body));
      } catch (error) {
        done(error as Problem);
      }
    });
  }
}

/** Replaces the media type of a streamed body, so that no parser reads it. Only this process uses this type. */
const STREAMED = 'application/x-streamed-body';

/**
 * Hands the bodies of some routes to their handlers as a stream, without a buffer and without a limit. The handler must
 * limit the bytes itself, and finds the media type in the headers of `request.raw`.
 */
export function streamBodies(fastify: FastifyInstance): void {
  fastify.addHook('preParsing', (request, _reply, payload, done) => {
    if (request.routeOptions.config.streamsBody && hasBody(request)) request.headers = { 'content-type': STREAMED };
    done(null, payload);
  });
  fastify.addContentTypeParser(STREAMED, (request, payload, done) => {
    if (request.is404 || request.routeOptions.config.streamsBody) return done(null, payload);
    payload.resume();
    done(wrongType(request));
  });
}

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** The media types of a merge patch, as the header `Accept-Patch` names them. */
export const PATCH_TYPES: readonly string[] = [MERGE_PATCH, JSON_TYPE];

function acceptedTypes({ adaptation, routeOptions }: FastifyRequest): readonly string[] {
  const type = adaptation?.media?.type ?? routeOptions.config.bodyType ?? JSON_TYPE;
  return type === MERGE_PATCH ? PATCH_TYPES : [type];
}
/** True when the request lacks the body that its route requires. An empty text is not valid JSON. */
export const lacksBody = ({ body, routeOptions }: FastifyRequest): boolean =>
  body === undefined && routeOptions.config.requiresBody === true;

/**
 * Returns the 415 answer for a body whose media type is missing, malformed, or not the route's type in the negotiated
 * version.
 */
export function wrongType(request: FastifyRequest): Problem {
  const types = acceptedTypes(request);
  const isPatch = types === PATCH_TYPES;
  return new Problem(415, message`The request body must be sent as ${types.join(', ')}`, {
    ...(isPatch && { headers: { 'accept-patch': PATCH_TYPES.join(', ') } }),
  });
}
