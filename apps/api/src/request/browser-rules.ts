import { type IncomingHttpHeaders } from 'node:http';
import { message } from '@ats/message';
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { type Environment } from '../config/env.js';
import { Problem } from '../vocabulary/problem.js';

type BrowserSettings = Pick<Environment, 'PUBLIC_BASE_URL' | 'CORS_ORIGINS'>;

/** The prefix of the routes that every page may use, also pages of other sites. */
export const PUBLIC_PREFIX = '/public/v1';

/** Methods that never change anything. */
const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS', 'TRACE'];
const MAX_PREFLIGHT_AGE_S = 600;
const ALLOWED_METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';
const ALLOWED_HEADERS =
  'Authorization, Content-Type, Accept, Accept-Language, Api-Version, Idempotency-Key, If-Match, If-None-Match, ' +
  'X-Request-Id, Last-Event-ID, traceparent, Tus-Resumable, Upload-Length, Upload-Metadata, Upload-Offset, ' +
  'X-HTTP-Method-Override';
/** The answer headers that pages of other origins may read. Browsers always expose a few further headers. */
const EXPOSED_HEADERS =
  'Accept-Patch, Allow, Api-Version, Content-Location, Deprecation, ETag, Idempotency-Replayed, Link, Location, ' +
  'RateLimit, RateLimit-Policy, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, Sunset, ' +
  'Tus-Extension, Tus-Max-Size, Tus-Resumable, Tus-Version, Upload-Document, Upload-Expires, Upload-Length, ' +
  'Upload-Metadata, Upload-Offset, WWW-Authenticate, X-Request-Id, X-Total-Count';

/**
 * True for a request of a browser. Programs send neither `Origin` nor `Sec-Fetch-Site`, and do not ask for HTML.
 * `Sec-Fetch-Mode` and `User-Agent` prove nothing, because some programs copy them from a browser.
 */
export const isFromBrowser = ({ origin, accept, 'sec-fetch-site': site }: IncomingHttpHeaders): boolean =>
  origin !== undefined || site !== undefined || accept?.includes('text/html') === true;

/**
 * True when a page of another site sent a request that may change data. Browsers add stored passwords to such a
 * request, so its user may not have wanted the change.
 */
export function isForeign(
  { method, headers }: Pick<FastifyRequest, 'method' | 'headers'>,
  { own, allowed }: { readonly own: string; readonly allowed: ReadonlySet<string> },
): boolean {
  if (SAFE_METHODS.includes(method)) return false;
  const { origin, 'sec-fetch-site': site } = headers;
  if (origin !== undefined && allowed.has(origin)) return false;
  // A page that hides its address sends the origin `null`. `Sec-Fetch-Site` still says whether it is a page of this
  // site.
  if (origin !== undefined && origin !== own && !(origin === 'null' && site === 'same-origin')) return true;
  return site !== undefined && site !== 'same-origin' && site !== 'none';
}

/**
 * Answers preflights, and lets pages of `CORS_ORIGINS` read answers. It must be called before the hooks that refuse
 * requests, because a page must be able to read a refusal, and a preflight carries no token.
 * Source: docs/reference/authentication.md, "Browsers"; https://fetch.spec.whatwg.org/#http-cors-protocol.
 */
export function allowOrigins(fastify: FastifyInstance, { CORS_ORIGINS = [] }: BrowserSettings): void {
  allowEveryOrigin(fastify);
  const allowed = new Set(CORS_ORIGINS);
  if (allowed.size === 0) return;
  fastify.addHook('onRequest', (request, reply, done) => {
    const { headers } = request;
    if (isPublic(request) || headers.origin === undefined || !allowed.has(headers.origin)) return done();
    void reply.header('access-control-allow-origin', headers.origin);
    if (isPreflight(request)) return sendPreflight(reply);
    void reply.header('access-control-expose-headers', EXPOSED_HEADERS);
    done();
  });
  // Adds `Origin` to `Vary` at the end, because later hooks replace `Vary`. A cache must not give the answer for one
  // origin to another.
  fastify.addHook('onSend', (_request, reply, payload, done) => {
    void reply.header('vary', [reply.getHeader('vary'), 'Origin'].filter(Boolean).join(', '));
    done(null, payload);
  });
}

/** Lets every page use the public routes. Their answers do not depend on the origin. */
function allowEveryOrigin(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    if (!isPublic(request)) return done();
    void reply.header('access-control-allow-origin', '*');
    if (isPreflight(request)) return sendPreflight(reply, 'GET, HEAD, POST, PATCH, DELETE');
    void reply.header('access-control-expose-headers', EXPOSED_HEADERS);
    done();
  });
}

const isPublic = ({ url }: Pick<FastifyRequest, 'url'>): boolean => url.startsWith(`${PUBLIC_PREFIX}/`);

const isPreflight = ({ method, headers }: FastifyRequest): boolean =>
  method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined;

const sendPreflight = (reply: FastifyReply, methods = ALLOWED_METHODS): void =>
  void reply
    .status(204)
    .headers({
      'access-control-allow-methods': methods,
      'access-control-allow-headers': ALLOWED_HEADERS,
      'access-control-max-age': String(MAX_PREFLIGHT_AGE_S),
    })
    .send();

/**
 * Refuses requests that may change data and come from a page of another site. Public routes accept such requests,
 * because they ignore the passwords that a browser adds.
 */
export function foreignRequests({
  PUBLIC_BASE_URL,
  CORS_ORIGINS = [],
}: BrowserSettings): (request: FastifyRequest) => Problem | null {
  const known = { own: new URL(PUBLIC_BASE_URL).origin, allowed: new Set(CORS_ORIGINS) };
  return (request) => (!isPublic(request) && isForeign(request, known) ? foreign(request.method) : null);
}

const foreign = (method: string): Problem =>
  new Problem(
    403,
    message`A ${method} from a page of another site is refused: its Origin is not allowed, or Sec-Fetch-Site says so`,
  );
