import { type QueryPairs } from '@ats/domain';
import { message } from '@ats/message';
import { type FastifyRequest } from 'fastify';
import { queryOf, unknownParameters } from '../request/query.js';
import { type ProblemDetail } from '../vocabulary/problem.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True for a POST that reads a page, with the parameters in its body. It ignores an idempotency key. */
    readonly takesQueryInBody?: boolean;
  }
}

/** The parameters of a request for a page. */
export interface GivenParameters {
  /** All parameters, including the parameters of the stored query. */
  readonly parameters: URLSearchParams;
  /** Violations of the request's form, such as a body that is no JSON object. */
  readonly violations: readonly ProblemDetail[];
  /** Handle of the stored query that the request names. */
  readonly handle?: string;
}

export function toParameters(pairs: QueryPairs): URLSearchParams {
  const parameters = new URLSearchParams();
  for (const [name, value] of pairs) parameters.append(name, value);
  return parameters;
}

/** The segment that ends the path of a list with its parameters in the body. */
export const QUERY_PATH = 'query';

/** True for `POST /<collection>/query`, which reads a page and changes nothing. */
export const isPageByBody = ({ routeOptions }: Pick<FastifyRequest, 'routeOptions'>): boolean =>
  routeOptions.config.takesQueryInBody === true;

/** Reads at most this many elements of a list, because a longer list is never valid and could be hostile. */
const MAX_ELEMENTS = 100;

/**
 * Reads the parameters of a request as they were sent: from the URL, or for `POST /<collection>/query` from the body.
 * Source: docs/reference/paging.md, "Long queries".
 */
export function sentParameters(resource: string, request: FastifyRequest): GivenParameters {
  const query = queryOf(request);
  if (!isPageByBody(request)) return { parameters: query, violations: [] };
  const violations = unknownParameters(resource, query, []);
  const pairs = pairsOf(request.body, (parameter, info) => {
    const place = parameter === undefined ? {} : { parameter };
    violations.push({ resource, path: '', ...place, code: 'invalid', info });
  });
  return { parameters: toParameters(pairs), violations };
}

type Refuse = (parameter: string | undefined, info: ProblemDetail['info']) => void;

/** Reads a body as parameters. A list stands for a repeated parameter, and null for an absent one. */
function pairsOf(body: unknown, refuse: Refuse): QueryPairs {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    refuse(undefined, message`expected a JSON object with the parameters`);
    return [];
  }
  return Object.entries(body).flatMap(([name, value]) => {
    const elements: readonly unknown[] = Array.isArray(value) ? value : [value];
    if (elements.length > MAX_ELEMENTS) {
      refuse(name, message`expected at most ${MAX_ELEMENTS} elements, found ${elements.length}`);
      return [];
    }
    return elements.flatMap((element): QueryPairs => {
      if (element === null) return [];
      if (typeof element === 'string' || typeof element === 'number' || typeof element === 'boolean')
        return [[name, String(element)]];
      refuse(name, message`expected a text, a number, a boolean, or a list of them`);
      return [];
    });
  });
}
