import { type IncomingHttpHeaders } from 'node:http';
import { API_PREFIX } from '@ats/domain';
import { message } from '@ats/message';
import { Inject, Injectable } from '@nestjs/common';
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { type AppOptions } from './app-options.js';
import { isFromBrowser } from './browser-rules.js';
import { type Environment } from '../config/env.js';
import { ENVIRONMENT } from '@ats/nest-app';
import { SERVED_VERSIONS, VERSIONS } from '../versions/versions.js';
import { type CompatibilityFlag } from '../vocabulary/compatibility-flag.js';
import { Problem } from '../vocabulary/problem.js';
import { readableBy } from '../vocabulary/scopes.js';
import { negotiateLanguage, negotiateVersion, statedVersion } from './negotiation.js';
import { addressOf } from '../limits/address.js';
import { RouteTable } from './route-table.js';

/**
 * Builds the request context: credential, version and language. Runs once for each request, before the body is read.
 */
@Injectable()
export class ContextBuilder {
  constructor(
    private readonly routes: RouteTable,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  /** Adds the hook that builds the request context. Every route below the API's prefix needs a credential. */
  guard(fastify: FastifyInstance, { versioning = true }: AppOptions): void {
    fastify.addHook('onRequest', (request, reply, done) => {
      const path = request.routeOptions.url;
      if (path?.startsWith(`${API_PREFIX}/`)) this.#buildContext(request, reply, { path, versioning });
      else if (path === undefined && versioning && this.routes.dependsOnVersion(request))
        request.compatibilityFlags = compatibilityFlagsFor(request);
      done();
    });
  }

  /**
   * Builds the context of a request.
   * @throws {Problem} 401 without a credential, 400 for an unknown version, 406 for an unsupported language
   */
  #buildContext(
    request: FastifyRequest,
    reply: FastifyReply,
    { path, versioning }: { readonly path: string; readonly versioning: boolean },
  ): void {
    const { credential, headers, method } = request;
    if (!credential) throw unauthorized(headers);
    const version = versioning ? negotiateVersion(headers['api-version'], credential.api_version) : VERSIONS.newest;
    void reply.header('api-version', version);
    const language = negotiateLanguage(headers['accept-language'], credential.language);
    void reply.header('content-language', language);
    const compatibilityFlags = VERSIONS.compatibilityFlagsAt(version);
    request.compatibilityFlags = compatibilityFlags;
    request.context = {
      requestId: request.id,
      get address() {
        return addressOf(request);
      },
      actor: {
        credentialId: credential.id,
        keyId: credential.key_id,
        userId: credential.user_id,
        recruiterId: credential.recruiter_id,
        scopes: new Set(credential.scopes),
        ...(credential.grant && { accessEndsDt: credential.grant.expiresDt }),
      },
      version,
      compatibilityFlags,
      settings: {
        baseUrl: this.environment.PUBLIC_BASE_URL,
        language,
        apiVersions: SERVED_VERSIONS,
        ...readableBy(credential.scopes),
      },
    };
    const endpoint = request.routeOptions.config.takesQueryInBody ? listOf(path) : { method, path };
    const adaptation = VERSIONS.adaptationAt(version, endpoint);
    if (adaptation) request.adaptation = adaptation;
  }
}

/** Returns the route that answers like a POST with the query in its body. @param path  path of the POST */
export const listOf = (path: string): { readonly method: string; readonly path: string } => ({
  method: 'GET',
  path: path.slice(0, path.lastIndexOf('/')),
});

/**
 * Returns the compatibility flags for a request without a route. Such a request needs no credential. When it has one,
 * the version of the credential decides which methods exist at a path.
 */
const compatibilityFlagsFor = ({ credential, headers }: FastifyRequest): ReadonlySet<CompatibilityFlag> =>
  VERSIONS.compatibilityFlagsAt(statedVersion(headers['api-version'], credential?.api_version));

/**
 * Sends no `Basic` challenge to a browser. The browser would ask the user for a password, keep it, and add it to the
 * requests of all pages.
 */
export const unauthorized = (headers: IncomingHttpHeaders = {}): Problem =>
  new Problem(401, message`The credentials are missing or invalid`, {
    headers: {
      'www-authenticate': `Bearer realm="api"${isFromBrowser(headers) ? '' : ', Basic realm="api", charset="UTF-8"'}`,
    },
  });
