import { type Adaptation } from '@ats/api-versioning';
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { type ProblemDetail } from '../vocabulary/problem.js';
import { type AnswerSettings } from './api-version.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The conversions of this operation for an older version. Absent when no conversion is needed. */
    adaptation?: Adaptation<AnswerSettings>;
  }
}

/**
 * Converts every answer to the version of its request: answers of handlers, errors and replayed answers. An answer that
 * is sent as bytes or as a stream is sent as it is: `olderPage` has converted a page, and files have no version.
 */
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

/** Converts the bytes of a page of JSON to the version of the request. */
export function olderPage({ adaptation, context }: FastifyRequest, page: Buffer): Buffer {
  if (!adaptation?.answerBody || !context) return page;
  const encoding = adaptation.isAnswerAscii ? 'latin1' : 'utf8';
  return Buffer.from(adaptation.answerBody(page.toString(encoding), context.settings), encoding);
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

/** Converts the text of an answer, and encodes it again. An answer without a body is not changed. */
function adapted(
  { answerBody, errorBody = (json) => json, violationPath }: Adaptation<AnswerSettings>,
  { payload, isError }: Answer,
  settings: AnswerSettings,
): unknown {
  const change = isError
    ? (json: string) => withPaths(errorBody(json, settings), violationPath)
    : answerBody && ((json: string) => answerBody(json, settings));
  return change && typeof payload === 'string' && payload !== '' ? Buffer.from(change(payload)) : payload;
}

/** Converts the names in the paths of violations to the names of the older version. */
function withPaths(json: string, violationPath: Adaptation['violationPath']): string {
  if (!violationPath) return json;
  const problem = JSON.parse(json) as { readonly errors?: readonly ProblemDetail[] };
  return problem.errors
    ? JSON.stringify({
        ...problem,
        errors: problem.errors.map((error) => ({ ...error, path: violationPath(error.path) })),
      })
    : json;
}
