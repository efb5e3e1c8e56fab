import { collectionNames, getResource } from '@ats/domain';
import { message } from '@ats/message';
import { MAX_ANSWER_BYTES } from '@ats/postgres';
import { type FastifyRequest } from 'fastify';
import { Problem } from '../vocabulary/problem.js';

const MIB = 1024 * 1024;

/**
 * Returns the 400 for an answer that would be larger than an answer may be. Source: docs/reference/limits.md, "Sizes".
 */
export function answerTooLarge(request: FastifyRequest): Problem {
  const info = message`the answer would have more than ${MAX_ANSWER_BYTES / MIB} MiB: ask for fewer items with \
per_page, or for fewer or shorter columns with layout`;
  return new Problem(400, message`The answer is too large`, {
    errors: [{ resource: resourceOf(request), path: '', code: 'too_complex', info }],
  });
}

/** Returns the resource at the end of the path of a route. */
function resourceOf({ routeOptions: { url = '' } }: FastifyRequest): string {
  const segment = url.split('/').findLast((name) => name !== '' && name !== 'query' && !name.startsWith(':')) ?? '';
  return collectionNames().find((name) => getResource(name).paths.includes(segment)) ?? segment;
}
