import { API_PREFIX } from '@ats/domain';
import { message } from '@ats/message';
import { Injectable } from '@nestjs/common';
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import findMyWay, { type HTTPMethod } from 'find-my-way';
import { type CompatibilityFlag } from '../vocabulary/compatibility-flag.js';
import { Problem } from '../vocabulary/problem.js';
import { PATCH_TYPES } from './body-parser.js';

/** The method under which the router stores all paths. Only paths are looked up, so any method will do. */
const LOOKUP_METHOD: HTTPMethod = 'GET';

/**
 * Maximum length of a path for the router. It is longer than any path that Node accepts. Long ids are therefore
 * rejected by `ItemId` and not by the router.
 */
export const MAX_PATH_LENGTH = 64 * 1024;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The compatibility flag of the route. The route exists only in versions where the flag is in force. */
    readonly compatibilityFlag?: CompatibilityFlag;
  }
  interface FastifyRequest {
    /**
     * The compatibility flags in force. Set below the API's prefix and on paths whose methods depend on the version.
     */
    compatibilityFlags?: ReadonlySet<CompatibilityFlag>;
  }
}

/** Maps each method of a path to the compatibility flag on which the method depends. */
type Methods = ReadonlyMap<string, CompatibilityFlag | undefined>;
type AnswerHeaders = Readonly<Record<string, string>>;

/** Stores the methods of each path. Distinguishes a wrong method (405) from an unknown path (404). Answers OPTIONS. */
@Injectable()
export class RouteTable {
  readonly #router = findMyWay({ maxParamLength: MAX_PATH_LENGTH });
  readonly #methods = new Map<string, Map<string, CompatibilityFlag | undefined>>();
  readonly #announced = new Map<string, AnswerHeaders>();

  /** Collects the routes. Must be called before the routes are registered. */
  watch(fastify: FastifyInstance): void {
    fastify.addHook('onRoute', ({ url, method, config }) => {
      const methods = this.#methods.get(url) ?? new Map<string, CompatibilityFlag | undefined>();
      if (!this.#methods.has(url)) {
        this.#methods.set(url, methods);
        this.#router.on(LOOKUP_METHOD, url, () => undefined, methods);
      }
      // Paths outside the API prefix have no version, so no compatibility flag applies to them.
      const flag = url.startsWith(`${API_PREFIX}/`) ? config?.compatibilityFlag : undefined;
      for (const name of [method].flat()) methods.set(name, flag);
    });
  }

  /** Adds headers to the answers to OPTIONS at a path. @param url  the path as it is registered */
  announce(url: string, headers: AnswerHeaders): void {
    this.#announced.set(url, headers);
  }

  /**
   * Rejects a request to a path that does not exist in its version. Also rejects a method that a fixed path lacks but
   * that a route with a parameter has. Otherwise `PUT /applications/history` would address an item `history`.
   */
  guard(fastify: FastifyInstance): void {
    fastify.addHook('onRequest', (request, _reply, done) => {
      const { url } = request.routeOptions;
      const methods = this.#methodsAt(request);
      if (url === undefined || !methods) return done();
      const present = methodsInVersion(methods, request);
      const isOwn = methods === this.#methods.get(url) && present.includes(request.method);
      done(isOwn ? undefined : refusal(request, present));
    });
  }

  /** True when the methods of the path depend on the version. */
  dependsOnVersion(request: FastifyRequest): boolean {
    return [...(this.#methodsAt(request)?.values() ?? [])].some((flag) => flag !== undefined);
  }

  /** Answers a request without a route: OPTIONS with 204, otherwise 404 or 405. */
  answerUnrouted(request: FastifyRequest, reply: FastifyReply, refuse: (problem: Problem) => void): void {
    const methods = this.#methodsAt(request);
    const present = methodsInVersion(methods, request);
    if (request.method === 'OPTIONS' && present.length > 0) {
      const [, announced] = [...this.#announced].find(([url]) => this.#methods.get(url) === methods) ?? [];
      void reply
        .status(204)
        .headers({ ...optionsOf(present), ...announced })
        .send();
    } else refuse(refusal(request, present));
  }

  #methodsAt(request: FastifyRequest): Methods | undefined {
    const match = this.#router.find(LOOKUP_METHOD, pathOf(request));
    // A path with an empty id, such as `/applications/`, does not exist.
    return match && !Object.values(match.params).includes('') ? (match.store as Methods) : undefined;
  }
}

/** Returns the methods that a path has in the version of the request. */
const methodsInVersion = (methods: Methods = new Map(), { compatibilityFlags }: FastifyRequest): readonly string[] =>
  [...methods].filter(([, flag]) => flag === undefined || compatibilityFlags?.has(flag)).map(([name]) => name);

const pathOf = ({ url }: FastifyRequest): string => url.split('?')[0] ?? '';

const optionsOf = (methods: readonly string[]): AnswerHeaders => ({
  allow: allowOf(methods),
  ...(methods.includes('PATCH') && { 'accept-patch': PATCH_TYPES.join(', ') }),
});

const allowOf = (methods: readonly string[]): string => [...methods, 'OPTIONS'].sort().join(', ');

function refusal(request: FastifyRequest, present: readonly string[]): Problem {
  if (present.length === 0) return new Problem(404, message`The path ${pathOf(request)} was not found`);
  const allow = allowOf(present);
  return new Problem(405, message`${request.method} is not supported here, only ${allow}`, { headers: { allow } });
}
