import { message } from '@ats/message';
import { Injectable } from '@nestjs/common';
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import findMyWay, { type HTTPMethod } from 'find-my-way';
import { Problem } from './problem.js';

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

  /**
   * Refuses a request to a path of its own that lacks the method, where the parameter of another route would take it:
   * `PUT /applications/history` is not about an item called history.
   */
  guard(fastify: FastifyInstance): void {
    fastify.addHook('onRequest', (request, _reply, done) => {
      const { url } = request.routeOptions;
      const methods = this.#methodsAt(request);
      const isShadowed = url !== undefined && methods !== undefined && methods !== this.#methods.get(url);
      done(isShadowed ? notSupported(request, methods) : undefined);
    });
  }

  /** A request that no route took. */
  answerUnrouted(request: FastifyRequest, reply: FastifyReply, refuse: (problem: Problem) => void): void {
    const methods = this.#methodsAt(request);
    if (!methods) refuse(pathNotFound(request));
    else if (request.method === 'OPTIONS') void reply.status(204).header('allow', allowOf(methods)).send();
    else refuse(notSupported(request, methods));
  }

  #methodsAt(request: FastifyRequest): ReadonlySet<string> | undefined {
    const match = this.#router.find(LOOKUP_METHOD, pathOf(request));
    // A path that ends where an id should stand is no path.
    return match && !Object.values(match.params).includes('') ? (match.store as ReadonlySet<string>) : undefined;
  }
}

/** To a path that is not there, or not in the version that was asked for. */
export const pathNotFound = (request: FastifyRequest): Problem => new Problem(404, message`The path ${pathOf(request)} was not found`);

const pathOf = ({ url }: FastifyRequest): string => url.split('?')[0] ?? '';

const allowOf = (methods: ReadonlySet<string>): string => [...methods, 'OPTIONS'].sort().join(', ');

function notSupported({ method }: FastifyRequest, methods: ReadonlySet<string>): Problem {
  const allow = allowOf(methods);
  return new Problem(405, message`${method} is not supported here, only ${allow}`, { headers: { allow } });
}
