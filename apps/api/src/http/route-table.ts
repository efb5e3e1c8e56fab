import { Injectable } from '@nestjs/common';
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import findMyWay, { type HTTPMethod } from 'find-my-way';
import { notFound, Problem } from './problem.js';

/** Any method serves: what is looked up is the path. */
const LOOKUP_METHOD: HTTPMethod = 'GET';

/** Longer than any path that arrives: whether an id can be one is its pipe's to say. */
export const MAX_PATH_LENGTH = 64 * 1024;

/** Which methods each path has: to tell a wrong method (405) from a wrong path (404), and to answer OPTIONS. */
@Injectable()
export class RouteTable {
  readonly #router = findMyWay({ maxParamLength: MAX_PATH_LENGTH });
  readonly #methods = new Map<string, Set<string>>();

  /** Must be called before the routes are registered. */
  watch(fastify: FastifyInstance): void {
    fastify.addHook('onRoute', ({ url, method }) => {
      const methods = this.#methods.get(url) ?? new Set<string>();
      if (!this.#methods.has(url)) {
        this.#methods.set(url, methods);
        this.#router.on(LOOKUP_METHOD, url, () => undefined, methods);
      }
      for (const name of [method].flat()) methods.add(name);
    });
  }

  /** A request that no route took. */
  answerUnrouted(request: FastifyRequest, reply: FastifyReply, refuse: (problem: Problem) => void): void {
    const path = request.url.split('?')[0] ?? '';
    const match = this.#router.find(LOOKUP_METHOD, path);
    // A path that ends where an id should stand is no path.
    const found = match && !Object.values(match.params).includes('') ? (match.store as Set<string>) : undefined;
    if (!found) return refuse(notFound(`The path ${path}`));
    const allow = [...found, 'OPTIONS'].sort().join(', ');
    if (request.method === 'OPTIONS') void reply.status(204).header('allow', allow).send();
    else refuse(new Problem(405, `${request.method} is not supported here, only ${allow}`, { headers: { allow } }));
  }
}
