import { API_PREFIX } from '@ats/domain';
import { message } from '@ats/message';
import { SetMetadata } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { Problem, type ProblemDetail } from '../vocabulary/problem.js';

export const READS_QUERY = 'ats:reads-query';

/** The handler reads the query and checks it; every parameter of a route without this is unknown. */
export const ReadsQuery = (): MethodDecorator => SetMetadata(READS_QUERY, true);

export const queryOf = ({ url }: FastifyRequest): URLSearchParams =>
  new URLSearchParams(url.split('?').slice(1).join('?'));

/**
 * The address of a request as clients know it: below `PUBLIC_BASE_URL`, path included, whatever host the request names
 * (a proxy may rewrite it, and RFC 9112 3.2.2 lets a caller write any).
 */
export const publicUrl = ({ url }: FastifyRequest, baseUrl: string): string =>
  `${baseUrl}${url.replace(/^[a-z]+:\/\/[^/?]*/i, '')}`;

/** One fault for each parameter that the resource does not know: a mistyped name must not silently do nothing. */
export function unknownParameters(resource: string, query: URLSearchParams, known: readonly string[]): ProblemDetail[] {
  const info =
    known.length > 0 ? message`unknown parameter, expected one of ${known}` : message`unknown parameter, expected none`;
  const unknown = [...new Set(query.keys())].filter((name) => !known.includes(name));
  return unknown.map((parameter) => ({ resource, path: '', parameter, code: 'invalid', info }));
}

export const faultyQuery = (errors: readonly ProblemDetail[]): Problem =>
  new Problem(400, message`The query has faulty parameters`, { errors });

/** @throws {Problem} 400 when the query has any parameter; `route` is its pattern */
export function refuseQuery(query: URLSearchParams, route = ''): void {
  const resource = route.slice(API_PREFIX.length + 1).split('/')[0] ?? '';
  const faults = unknownParameters(resource, query, []);
  if (faults.length > 0) throw faultyQuery(faults);
}
