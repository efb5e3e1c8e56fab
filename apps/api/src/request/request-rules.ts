import { randomUUID } from 'node:crypto';
import { type IncomingMessage } from 'node:http';
import { API_PREFIX } from '@ats/domain';
import { message } from '@ats/message';
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { type Environment } from '../config/env.js';
import { Problem } from '../vocabulary/problem.js';
import { type Authentication } from './authentication.js';
import { foreignRequests } from './browser-rules.js';
import { statedVersion } from './negotiation.js';
import { sendProblem } from './problem.filter.js';
import { logAtEnd } from './request-log.js';
import { VARY } from './vary.js';

/**
 * The HSTS header. It lasts a year. It leaves out subdomains, which may lack HTTPS.
 */
const HSTS = 'max-age=31536000';
const SAFE_REQUEST_ID = /^[A-Za-z0-9._:/+=-]{1,128}$/;

/**
 * Returns the client's `X-Request-Id` when it is safe in a header and a log, otherwise a new id.
 * Source: docs/reference/operations.md, "Logs".
 */
export function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && SAFE_REQUEST_ID.test(given) ? given : randomUUID();
}

/**
 * Sets the headers of every answer, with the values that hold before the credential is known. No cache may store an
 * answer to a credential, because texts of any object may name people. Clients may keep an item with its `ETag`.
 * Source: docs/reference/resources.md, "Caches".
 */
function markAnswer(request: FastifyRequest, reply: FastifyReply): void {
  void reply.headers({
    'x-request-id': request.id,
    'x-content-type-options': 'nosniff',
    ...((request.url.startsWith(`${API_PREFIX}/`) || request.routeOptions.config?.isNeverCached) && {
      'cache-control': 'no-store',
    }),
    'api-version': statedVersion(request.headers['api-version']),
    vary: VARY,
  });
}

function problemOf({ raw, headers, method }: FastifyRequest): Problem | null {
  if (raw.httpVersion === '1.1' && headers.host === undefined)
    return new Problem(400, message`An HTTP/1.1 request needs a Host header`);
  if (hasSecondHost(raw)) return new Problem(400, message`A request must have one Host header`);
  // A PUT must have a length. Without a body, it must send `Content-Length: 0`.
  const hasLength = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
  return method === 'PUT' && !hasLength
    ? new Problem(411, message`A PUT needs a Content-Length, 0 when it has no body`)
    : null;
}

/**
 * True when a request has more than one `Host` header. Node keeps the first, but a proxy may have used the last (RFC
 * 9112 3.2).
 */
function hasSecondHost({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1;
}

/**
 * Answers a request whose path cannot be decoded. No hook runs for it, so this function repeats the work of the hooks.
 * The promise never rejects.
 */
export async function refusePath(
  authentication: Authentication,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  logAtEnd(request, reply);
  markAnswer(request, reply);
  // Applies the limits of the credential first, so 429 takes precedence over 400. When the database is unavailable, the
  // credential is unknown, and the answer is 400.
  const refusal = await authentication.authenticate(request, reply).catch(() => null);
  request.release?.(0);
  sendProblem(request, reply, refusal ?? new Problem(400, message`The path of the request is not valid`));
}

/**
 * Logs every request and sets the headers of every answer. When the public address uses HTTPS, these include HSTS (RFC
 * 6797), so that browsers use nothing else.
 */
export function markAnswers(
  fastify: FastifyInstance,
  { PUBLIC_BASE_URL: baseUrl }: Pick<Environment, 'PUBLIC_BASE_URL'>,
): void {
  const isSecure = baseUrl.startsWith('https:');
  fastify.addHook('onRequest', (request, reply, done) => {
    logAtEnd(request, reply);
    markAnswer(request, reply);
    if (isSecure) void reply.header('strict-transport-security', HSTS);
    done();
  });
}

/** Checks every request, with or without a route. */
export function addRequestRules(
  fastify: FastifyInstance,
  environment: Pick<Environment, 'PUBLIC_BASE_URL' | 'CORS_ORIGINS'>,
): void {
  const refuseForeign = foreignRequests(environment);
  fastify.addHook('onRequest', (request, reply, done) => {
    const problem = problemOf(request) ?? refuseForeign(request);
    if (problem) sendProblem(request, reply, problem);
    else done();
  });
}
