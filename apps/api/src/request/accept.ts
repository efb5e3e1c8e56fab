import { message } from '@ats/message';
import { type FastifyInstance } from 'fastify';
import Negotiator from 'negotiator';
import { Problem } from '../vocabulary/problem.js';

/** Maximum number of media ranges that are read. It limits the cost of hostile headers. */
const MAX_RANGES = 100;

/**
 * A parameter of a media range, such as `;charset=utf-8`. The value may be a quoted string, which can contain a comma.
 */
const PARAMETER = /;([^;,="]*)=(\s*"(?:[^"\\]|\\.)*(?:"|$)|[^;,]*)/g;

/**
 * Maps a media range to the range as which it is read. Some clients accept `application/problem+json`, because other
 * services send error bodies of this type. The HTTP client of Java sends `*`.
 */
const SYNONYMS: Readonly<Record<string, string>> = { 'application/problem+json': 'application/json', '*': '*/*' };

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Media types of the route's answers, from its description. Absent when the answer has no body. */
    readonly answerTypes?: readonly string[];
  }
}

/**
 * True when the header allows one of the types (RFC 9110 12.5.1). The most specific range that matches a type decides,
 * and `q=0` refuses the type. Letter case and parameters other than `q` are ignored. An empty header counts as absent
 * and allows everything.
 * @param header  the value of `Accept`
 * @param types   media types without parameters, in lower case
 */
export const allowsType = (header: string | undefined, types: readonly string[]): boolean =>
  acceptedTypes(header, types).length > 0;

/**
 * Returns the type that the header prefers. Among types that it prefers equally, the first wins. Undefined when the
 * header refuses all types. See `allowsType`.
 */
export const preferredType = (header: string | undefined, types: readonly string[]): string | undefined =>
  acceptedTypes(header, types)[0];

function acceptedTypes(header: string | undefined, types: readonly string[]): readonly string[] {
  if (header === undefined || header === '*/*' || /^[\s,]*$/.test(header)) return types;
  const ranges = header
    .toLowerCase()
    .replace(PARAMETER, (_, name: string, value: string) => (name.trim() === 'q' ? `;q=${value.trim()}` : ''))
    .split(',', MAX_RANGES)
    .map((range) => {
      const [type = '', ...quality] = range.trim().split(';');
      return [SYNONYMS[type.trim()] ?? type, ...quality].join(';');
    });
  return new Negotiator({ headers: { accept: ranges.join() } }).mediaTypes([...types]);
}

/**
 * Rejects a request whose `Accept` header refuses every media type of the route's answer. Error bodies are always JSON.
 * Source: docs/reference/errors.md, "Statuses".
 */
export function refuseUnacceptable(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, _reply, done) => {
    const { answerTypes } = request.routeOptions.config;
    if (!answerTypes || allowsType(request.headers.accept, answerTypes)) done();
    else done(new Problem(406, message`The header Accept must allow one of ${answerTypes}`));
  });
}
