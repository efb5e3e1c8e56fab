import { type Adaptation } from '@ats/api-versioning';
import { type FastifyInstance, type FastifyReply } from 'fastify';
import { type ProblemDetail } from '../vocabulary/problem.js';
import { type AnswerSettings } from './api-version.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** What an older version asks for at this endpoint; absent when it asks for nothing. */
    adaptation?: Adaptation<AnswerSettings>;
  }
}

/** Makes each answer to a request of an older version one of that version, whoever sends it: handlers, the filter of errors, kept answers. */
export function sendOlderAnswers(fastify: FastifyInstance): void {
  fastify.addHook('onSend', (request, reply, payload, done) => {
    const { adaptation, context } = request;
    if (!adaptation || !context) return done(null, payload);
    adaptHeaders(adaptation, reply, context.settings);
    done(
      null,
      isJson(reply) ? adapted(adaptation, { payload, isError: reply.statusCode >= 400 }, context.settings) : payload,
    );
  });
}

function adaptHeaders(
  { answerHeaders }: Adaptation<AnswerSettings>,
  reply: FastifyReply,
  settings: AnswerSettings,
): void {
  for (const [name, change] of Object.entries(answerHeaders)) {
    const value = reply.getHeader(name);
    if (typeof value === 'string') void reply.header(name, change(value, settings));
  }
}

const isJson = (reply: FastifyReply): boolean => String(reply.getHeader('content-type')).startsWith('application/json');

interface Answer {
  readonly payload: unknown;
  readonly isError: boolean;
}

/** The answer's text as bytes; what is no text, as it is: an answer without a body. */
function adapted(
  { answerBody, faultPath }: Adaptation<AnswerSettings>,
  { payload, isError }: Answer,
  settings: AnswerSettings,
): unknown {
  const change = isError
    ? faultPath && ((json: string) => withPaths(json, faultPath))
    : answerBody && ((json: string) => answerBody(json, settings));
  return change && typeof payload === 'string' && payload !== '' ? Buffer.from(change(payload)) : payload;
}

/** An error with the paths that its client knows. */
function withPaths(json: string, faultPath: (pointer: string) => string): string {
  const problem = JSON.parse(json) as { readonly errors?: readonly ProblemDetail[] };
  return problem.errors
    ? JSON.stringify({ ...problem, errors: problem.errors.map((error) => ({ ...error, path: faultPath(error.path) })) })
    : json;
}
