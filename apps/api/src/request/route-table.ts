import { API_PREFIX } from '@ats/domain';
import { message } from '@ats/message';
import { Injectable } from '@nestjs/common';
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import findMyWay, { type HTTPMethod } from 'find-my-way';
import { type CompatibilityFlag } from '../vocabulary/compatibility-flag.js';
import { Problem } from '../vocabulary/problem.js';

/** Any method serves: what is looked up is the path. */
const LOOKUP_METHOD: HTTPMethod = 'GET';

/** Longer than any path that arrives: whether an id can be one is its pipe's to say. */
export const MAX_PATH_LENGTH = 64 * 1024;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The older behaviour that a route is a part of: without it there is no such route. */
    readonly compatibilityFlag?: CompatibilityFlag;
  }
  interface FastifyRequest {
    /** Those in force, where what is there depends on them. */
    compatibilityFlags?: ReadonlySet<CompatibilityFlag>;
  }
}

/** The methods of a path, each with the compatibility flag that it depends on. */
type Methods = ReadonlyMap<string, CompatibilityFlag | undefined>;

/** Which methods each path has: to tell a wrong method (405) from a wrong path (404), and to answer OPTIONS. */
@Injectable()
export class RouteTable {
  readonly #router = findMyWay({ maxParamLength: MAX_PATH_LENGTH });
  readonly #methods = new Map<string, Map<string, CompatibilityFlag | undefined>>();

  /** Must be called before the routes are registered. */
  watch(fastify: FastifyInstance): void {
    fastify.addHook('onRoute', ({ url, method, config }) => {
      const methods = this.#methods.get(url) ?? new Map<string, CompatibilityFlag | undefined>();
      if (!this.#methods.has(url)) {
        this.#methods.set(url, methods);
        this.#router.on(LOOKUP_METHOD, url, () => undefined, methods);
      }
      // Who asks outside of the interface, and so in which version, is not known.
      const flag = url.startsWith(`${API_PREFIX}/`) ? config?.compatibilityFlag : undefined;
      for (const name of [method].flat()) methods.set(name, flag);
    });
  }

  /**
   * Refuses a request to a path that is not there in its version, and one to a path of its own that lacks the method, where the
   * parameter of another route would take it: `PUT /applications/history` is not about an item called history.
   */
  guard(fastify: FastifyInstance): void {
    fastify.addHook('onRequest', (request, _reply, done) => {
      const { url } = request.routeOptions;
      const methods = this.#methodsAt(request);
      if (url === undefined || !methods) return done();
      const present = presentIn(methods, request);
      const isOwn = methods === this.#methods.get(url) && present.includes(request.method);
      done(isOwn ? undefined : refusal(request, present));
    });
  }

  /** Whether what there is at the path depends on the version. */
  isOfVersions(request: FastifyRequest): boolean {
    return [...(this.#methodsAt(request)?.values() ?? [])].some((flag) => flag !== undefined);
  }

  /** A request that no route took. */
  answerUnrouted(request: FastifyRequest, reply: FastifyReply, refuse: (problem: Problem) => void): void {
    const present = presentIn(this.#methodsAt(request), request);
    if (request.method === 'OPTIONS' && present.length > 0)
      void reply.status(204).header('allow', allowOf(present)).send();
    else refuse(refusal(request, present));
  }

  #methodsAt(request: FastifyRequest): Methods | undefined {
    const match = this.#router.find(LOOKUP_METHOD, pathOf(request));
    // A path that ends where an id should stand is no path.
    return match && !Object.values(match.params).includes('') ? (match.store as Methods) : undefined;
  }
}

/** The methods that a path has in the version that was asked for. */
const presentIn = (methods: Methods = new Map(), { compatibilityFlags }: FastifyRequest): readonly string[] =>
  [...methods].filter(([, flag]) => flag === undefined || compatibilityFlags?.has(flag)).map(([name]) => name);

const pathOf = ({ url }: FastifyRequest): string => url.split('?')[0] ?? '';

const allowOf = (methods: readonly string[]): string => [...methods, 'OPTIONS'].sort().join(', ');

function refusal(request: FastifyRequest, present: readonly string[]): Problem {
  if (present.length === 0) return new Problem(404, message`The path ${pathOf(request)} was not found`);
  const allow = allowOf(present);
  return new Problem(405, message`${request.method} is not supported here, only ${allow}`, { headers: { allow } });
}
