import {
  type ExistingObject,
  findResource,
  getResource,
  NotFoundError,
  type ReadSettings,
  resourceUrl,
  ValidationError,
  type Violation,
} from '@ats/domain';
import {
  CommitUnknownError,
  ConsumerLimitError,
  ServerUnavailableError,
  isAnswerTooLarge,
  isUnavailable,
} from '@ats/postgres';
import { message, type Message } from '@ats/message';
import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Inject } from '@nestjs/common';
import { type FastifyContextConfig, type FastifyReply, type FastifyRequest } from 'fastify';
import { AuditLog } from '../audit/audit-log.js';
import { limitProblem } from '../limits/limit-problem.js';
import { LIMIT_SETTINGS, type LimitSettings } from '../limits/limit-settings.js';
import { Metrics } from '../metrics/metrics.js';
import { Problem, type ProblemDetail } from '../vocabulary/problem.js';
import { isJsonObject } from '../vocabulary/merge-patch.js';
import { allows, MissingScope } from '../vocabulary/scopes.js';
import { answerTooLarge } from './answer-size.js';
import { membersOf } from './body.js';
import { lacksBody, wrongType } from './body-parser.js';
import { localisedJson } from './localised-json.js';
import { languageOf } from './negotiation.js';
import { RouteTable } from './route-table.js';

/**
 * Value of `Retry-After` during an outage. The service notices the end of an outage within a second. The value is
 * larger, so that clients do not all return in this second.
 */
const RETRY_AFTER_S = 5;
/**
 * Value of `Retry-After` for a limit of connections. It is an estimate, because the API does not know when a running
 * request of the credential ends.
 */
const CONNECTIONS_RETRY_S = 1;
const OUTCOME_UNKNOWN = message`The outcome is unknown: repeat a PUT, PATCH or DELETE, or a POST with an Idempotency-Key; \
otherwise read the data first`;
const STORED_VALUE = message`the present value of this property does not allow the change`;
const VALIDATION_MESSAGE = message`Validation failed`;

/**
 * Turns all errors into answers. The answer to an unexpected error is a 500 with an id; only the log has the cause.
 */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(
    private readonly routes: RouteTable,
    private readonly audit: AuditLog,
    @Inject(LIMIT_SETTINGS) private readonly limits: LimitSettings,
    private readonly metrics: Metrics,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    // The client ended the request while it sent the body, so no answer can be sent.
    if (reply.sent || error === request.raw.errored) return;
    if (request.is404) this.routes.answerUnrouted(request, reply, (problem) => sendProblem(request, reply, problem));
    else {
      if (error instanceof MissingScope) this.audit.scopeRefused(request, error.scopes);
      sendProblem(request, reply, this.#toProblem(error, request));
    }
  }

  #toProblem(error: unknown, request: FastifyRequest): Problem {
    if (error instanceof Problem) return error;
    if (error instanceof NotFoundError) return new Problem(404, message`${error.resource} ${error.id} was not found`);
    // When the body is missing, the handler first finds the items in the path and then reports an invalid body. The
    // answer is 400 instead of 422.
    if (error instanceof ValidationError && lacksBody(request))
      return new Problem(400, message`The request body is missing`);
    if (error instanceof ValidationError) {
      const errors = error.violations.map((violation) => shownViolation(error.resource, violation, request));
      return new Problem(422, VALIDATION_MESSAGE, { errors });
    }
    if (error instanceof HttpException && error.getStatus() === 415) return wrongType(request);
    if (error instanceof HttpException && error.getStatus() < 500)
      return new Problem(error.getStatus(), messageOfStatus(error));
    if (error instanceof ConsumerLimitError) return this.#limited(error, request);
    if (isAnswerTooLarge(error)) return answerTooLarge(request);
    if (isUnavailable(error)) return this.#unavailable(error, request);
    request.log.error({ err: error }, 'a request failed with an unexpected error and was answered with 500');
    return new Problem(500, message`Internal error`);
  }

  #limited({ limit: reason }: ConsumerLimitError, { spending }: FastifyRequest): Problem {
    this.metrics.requestLimited(reason);
    const retryAfterSeconds = reason === 'connections' ? CONNECTIONS_RETRY_S : (spending?.resetSeconds ?? 1);
    return limitProblem({ reason, retryAfterSeconds }, this.limits);
  }

  #unavailable(error: unknown, { log }: FastifyRequest): Problem {
    // Does not log a `ServerUnavailableError`, because the database connection logs each outage once.
    if (!(error instanceof ServerUnavailableError))
      log.warn(
        { err: error },
        'a request was answered with 503, because a required server is unavailable or overloaded',
      );
    const text =
      error instanceof CommitUnknownError ? OUTCOME_UNKNOWN : message`The service is not available at the moment`;
    return new Problem(503, text, { headers: { 'retry-after': String(RETRY_AFTER_S) } });
  }
}

/**
 * Returns the violation without the parts that the credential may not read. `existing` needs the read scope of the
 * existing object. An `info` that is precise or that quotes a stored value needs the read scope of the resource.
 * Source: docs/reference/errors.md, "Existing objects".
 */
function shownViolation(
  resource: string,
  { existing, info, infoForReaders, ...violation }: Violation,
  request: FastifyRequest,
): ProblemDetail {
  const { context } = request;
  const mayRead = (name: string): boolean => {
    const scope = findResource(name)?.scope;
    return scope !== undefined && context !== undefined && allows(context.actor.scopes, `${scope}:read`);
  };
  const plain = info && isStoredValue(request, violation.path) && !mayRead(resource) ? STORED_VALUE : info;
  const text = infoForReaders && mayRead(resource) ? infoForReaders : plain;
  return {
    resource,
    ...violation,
    ...(text && { info: text }),
    ...(existing && context && mayRead(existing.resource) && { existing: linkTo(existing, context.settings) }),
  };
}

/** True when a PATCH does not contain the property of a violation. The `info` may then quote the stored value. */
function isStoredValue({ method, body }: FastifyRequest, path: string): boolean {
  if (method !== 'PATCH' || path === '') return false;
  let sent = body;
  for (const name of membersOf(path)) {
    // The patch replaces this value as a whole, so the client has sent the value of the violation itself.
    if (!isJsonObject(sent)) return false;
    if (!Object.hasOwn(sent, name)) return true;
    sent = sent[name];
  }
  return false;
}

const linkTo = ({ resource, id }: ExistingObject, { baseUrl }: ReadSettings): ProblemDetail['existing'] => ({
  id,
  url: resourceUrl(baseUrl, getResource(resource).paths[0], id),
});

/** Sends an error body. Source: docs/reference/errors.md, "Error body". */
export const sendProblem = (request: FastifyRequest, reply: FastifyReply, problem: Problem): void =>
  void reply.send(writeProblem(request, reply, problem));

/** Sets the status and the headers of an error. @returns its body */
export function writeProblem(request: FastifyRequest, reply: FastifyReply, problem: Problem): string {
  const { errors, headers, details } = problem.options;
  // A request with a malformed path has no route.
  const config = request.routeOptions?.config as FastifyContextConfig | undefined;
  const language = languageOf(request);
  void reply.status(problem.status).headers({
    'content-language': language,
    vary: reply.getHeader('vary') ?? 'Accept-Language',
    ...headers,
    'content-type': 'application/json; charset=utf-8',
  });
  return localisedJson(
    {
      message: problem.text,
      ...details,
      ...config?.errorDetails?.(problem),
      ...(errors && { errors }),
      request_id: request.id,
    },
    language,
  );
}

/** Replaces the texts of Fastify's own errors. */
function messageOfStatus(error: HttpException): Message {
  switch (error.getStatus()) {
    case 400:
      return message`The request body is not valid JSON`;
    case 413:
      return message`The request body is larger than ${'1 MiB'}`;
    default:
      return message`The request cannot be carried out as it was sent`;
  }
}
