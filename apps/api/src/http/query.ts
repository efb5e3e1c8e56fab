import { API_PREFIX } from '@ats/domain';
import { SetMetadata } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { Problem, type ProblemDetail } from './problem.js';

export const READS_QUERY = 'ats:reads-query';

/** The handler reads the query and checks it; every parameter of a route without this is unknown. */
export const ReadsQuery = (): MethodDecorator => SetMetadata(READS_QUERY, true);

export const queryOf = ({ url }: FastifyRequest): URLSearchParams => new URLSearchParams(url.split('?').slice(1).join('?'));

/**
 * The address of a request as clients know it: below `PUBLIC_BASE_URL`, path included, whatever host the request names
 * (a proxy may rewrite it, and RFC 9112 3.2.2 lets a caller write any).
 */
export const publicUrl = ({ url }: FastifyRequest, baseUrl: string): string => `${baseUrl}${url.replace(/^[a-z]+:\/\/[^/?]*/i, '')}`;

/** What bytes that are no UTF-8 are read as: they would look for another text than was meant. */
const REPLACEMENT = '\ufffd';
const QUOTED = 40;
const quoteBytes = (value: string): string => JSON.stringify(value.length > QUOTED ? `${value.slice(0, QUOTED)}…` : value);

/** One fault for each parameter that the resource does not know, or that cannot be read: a mistyped name must not silently do nothing. */
export function unknownParameters(resource: string, query: URLSearchParams, known: readonly string[]): ProblemDetail[] {
  const expected = known.length > 0 ? `expected one of ${known.join(', ')}` : 'expected none';
  const fault = (parameter: string, info: string): ProblemDetail => ({ resource, path: '', parameter, code: 'invalid', info });
  const unknown = [...new Set(query.keys())].filter((name) => !known.includes(name)).map((parameter) => fault(parameter, `unknown parameter, ${expected}`));
  const broken = [...query].filter(([, value]) => value.includes(REPLACEMENT)).map(([parameter, value]) => fault(parameter, `expected UTF-8, found other bytes in ${quoteBytes(value)}`));
  return [...unknown, ...broken];
}

export const faultyQuery = (errors: readonly ProblemDetail[]): Problem => new Problem(400, 'The query has faulty parameters', { errors });

/** @throws {Problem} 400 when the query has any parameter; `route` is its pattern */
export function refuseQuery(query: URLSearchParams, route = ''): void {
  const resource = route.slice(API_PREFIX.length + 1).split('/')[0] ?? '';
  const faults = unknownParameters(resource, query, []);
  if (faults.length > 0) throw faultyQuery(faults);
}
