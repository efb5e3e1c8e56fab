import { API_PREFIX, boundedViolations } from '@ats/domain';
import { message } from '@ats/message';
import { type ParameterViolation } from '@ats/pagination';
import { SetMetadata } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { Problem, type ProblemDetail } from '../vocabulary/problem.js';

export const READS_QUERY = 'ats:reads-query';

/** Marks a handler that reads and checks the query. On other routes every query parameter is rejected as unknown. */
export const ReadsQuery = (): MethodDecorator => SetMetadata(READS_QUERY, true);

/**
 * Returns the parameters of the query.
 * @throws {Problem} 400 that names each parameter with a malformed percent escape, such as `%zz`, or with invalid UTF-8
 */
export function queryOf({ url, routeOptions }: FastifyRequest): URLSearchParams {
  const text = url.split('?').slice(1).join('?');
  const malformed = text.includes('%') ? text.split('&').filter((part) => decoded(part) === null) : [];
  if (malformed.length === 0) return new URLSearchParams(text);
  const names = new Set(malformed.map((part) => part.split('=', 1)[0] ?? ''));
  const resource = resourceOf(routeOptions.url);
  const info = message`expected percent escapes of valid UTF-8, and ${'%25'} for a percent sign`;
  throw invalidQuery(
    [...names].map((name) => ({ resource, path: '', parameter: decoded(name) ?? name, code: 'invalid', info })),
  );
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** Returns the name of the resource in the pattern of a route. */
const resourceOf = (route = ''): string => route.slice(API_PREFIX.length + 1).split('/')[0] ?? '';

/**
 * Returns the URL of a request as clients see it: `PUBLIC_BASE_URL`, path and query. The host of the request is
 * ignored, because a proxy may rewrite it and RFC 9112 3.2.2 lets a client send any host.
 */
export const publicUrl = ({ url }: FastifyRequest, baseUrl: string): string =>
  `${baseUrl}${url.replace(/^[a-z]+:\/\/[^/?]*/i, '')}`;

/** Describes a violation of `@ats/pagination` in the form of the API. */
export const parameterProblem = (
  resource: string,
  { parameter, code, message }: ParameterViolation,
): ProblemDetail => ({
  ...{ resource, path: '', parameter, code },
  info: message,
});

/** Returns a violation for each unknown parameter, so that a mistyped name is never silently ignored. */
export function unknownParameters(resource: string, query: URLSearchParams, known: readonly string[]): ProblemDetail[] {
  const info =
    known.length > 0 ? message`unknown parameter, expected one of ${known}` : message`unknown parameter, expected none`;
  const unknown = [...new Set(query.keys())].filter((name) => !known.includes(name));
  return unknown.map((parameter) => ({ resource, path: '', parameter, code: 'invalid', info }));
}

/**
 * Returns the 400 for violations of the query. It lists at most `MAX_VIOLATIONS`, because a query in a body can have 1
 * MiB.
 */
export const invalidQuery = (violations: readonly ProblemDetail[]): Problem =>
  new Problem(400, message`The query has invalid parameters`, {
    errors: boundedViolations(violations, (info) => ({
      resource: violations[0]?.resource ?? '',
      path: '',
      code: 'invalid',
      info,
    })),
  });

/**
 * Rejects every query parameter.
 * @param route  pattern of the route
 * @throws {Problem} 400 when the query has any parameter
 */
export function refuseQuery(query: URLSearchParams, route = ''): void {
  const violations = unknownParameters(resourceOf(route), query, []);
  if (violations.length > 0) throw invalidQuery(violations);
}
