import { type FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** The properties that the answer may have. Absent when the credential may read the whole answer. */
    shownProperties?: ReadonlySet<string>;
  }
}

/**
 * Removes the values that the credential may not read from the answers to writes, also from replayed answers.
 * `ScopeGuard` decides which answers are limited, for every route. An `ETag` is removed, too, because it depends on the
 * hidden values. Must follow `sendOlderAnswers`, which converts whole answers.
 * Source: docs/reference/authentication.md, "Answers to writes".
 */
export function limitAnswers(fastify: FastifyInstance): void {
  fastify.addHook('onSend', ({ shownProperties }, reply, payload, done) => {
    if (!shownProperties || reply.statusCode >= 400) return done(null, payload);
    void reply.removeHeader('etag');
    const text = Buffer.isBuffer(payload) ? payload.toString() : payload;
    done(null, typeof text === 'string' && text !== '' ? limited(text, shownProperties) : payload);
  });
}

const limited = (json: string, shown: ReadonlySet<string>): string =>
  JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(json) as object).filter(([name]) => shown.has(name))));
