import { NotFoundError, ValidationError } from '@ats/domain';
import { CommitUnknownError, ServerUnavailableError, isUnavailable } from '@ats/postgres';
import { message, type Message } from '@ats/message';
import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { Problem } from '../vocabulary/problem.js';
import { wrongType } from './body-parser.js';
import { localisedJson } from './localised-json.js';
import { languageOf } from './negotiation.js';
import { RouteTable } from './route-table.js';

/** Not all at once, the moment it is back: that is known within a second. */
const RETRY_AFTER_S = 5;
const OUTCOME_UNKNOWN = message`Whether the change was made is not known: a PUT or DELETE can be sent again, and so can a POST with the same Idempotency-Key; without one look first`;
const VALIDATION_MESSAGE = message`Validation failed`;

/** The one place where errors become answers. What is not expected is a bare 500 with an id, its cause in the log. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(private readonly routes: RouteTable) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    // The client has broken off its body: there is nobody to answer, and no server of ours is away.
    if (reply.sent || error === request.raw.errored) return;
    if (request.is404) this.routes.answerUnrouted(request, reply, (problem) => sendProblem(request, reply, problem));
    else sendProblem(request, reply, this.#toProblem(error, request));
  }

  #toProblem(error: unknown, request: FastifyRequest): Problem {
    if (error instanceof Problem) return error;
    if (error instanceof NotFoundError) return new Problem(404, message`${error.resource} ${error.id} was not found`);
    if (error instanceof ValidationError) {
      const errors = error.faults.map((fault) => ({ resource: error.resource, ...fault }));
      return new Problem(422, VALIDATION_MESSAGE, { errors });
    }
    if (error instanceof HttpException && error.getStatus() === 415) return wrongType(request);
    if (error instanceof HttpException && error.getStatus() < 500)
      return new Problem(error.getStatus(), sentence(error));
    if (isUnavailable(error)) return this.#unavailable(error, request);
    request.log.error({ err: error }, 'a fault that nobody expected');
    return new Problem(500, message`Internal error`);
  }

  #unavailable(error: unknown, { log }: FastifyRequest): Problem {
    // That the database is away is logged once, not with each request that hears of it.
    if (!(error instanceof ServerUnavailableError))
      log.warn({ err: error }, 'a server that is needed is away, or busy for too long');
    const text =
      error instanceof CommitUnknownError ? OUTCOME_UNKNOWN : message`The service is not available at the moment`;
    return new Problem(503, text, { headers: { 'retry-after': String(RETRY_AFTER_S) } });
  }
}

/** Sends the body of CONTRACT.md 3. */
export function sendProblem(request: FastifyRequest, reply: FastifyReply, problem: Problem): void {
  const { errors, headers, details } = problem.options;
  const language = languageOf(request);
  void reply
    .status(problem.status)
    .headers({
      'content-language': language,
      vary: reply.getHeader('vary') ?? 'Accept-Language',
      ...headers,
      'content-type': 'application/json; charset=utf-8',
    })
    .send(
      localisedJson({ message: problem.text, ...details, ...(errors && { errors }), request_id: request.id }, language),
    );
}

/** Fastify's own refusals, in words that say what to do. */
function sentence(error: HttpException): Message {
  switch (error.getStatus()) {
    case 400:
      return message`The request body is not valid JSON`;
    case 413:
      return message`The request body is larger than ${'1 MiB'}`;
    default:
      return message`The request cannot be carried out as it was sent`;
  }
}
