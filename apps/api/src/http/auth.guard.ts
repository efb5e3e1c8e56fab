import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { type Environment } from '../config/env.js';
import { ENVIRONMENT } from '../config/environment.module.js';
import { CredentialStore, tokenOf } from './credential-store.js';
import { negotiateLanguage, negotiateVersion } from './negotiation.js';
import { Problem } from './problem.js';
import { allows, PUBLIC, SCOPE, type Scope } from './scopes.js';

/** Who asks, may they, in which version and language: answered once per request, before any handler. */
@Injectable()
export class AuthGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly credentials: CredentialStore,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  async canActivate(host: ExecutionContext): Promise<boolean> {
    const targets = [host.getHandler(), host.getClass()];
    if (this.reflector.getAllAndOverride<boolean | undefined>(PUBLIC, targets)) return true;
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const credential = await this.credentials.find(tokenOf(request.headers.authorization));
    if (!credential) throw unauthorized();

    const version = negotiateVersion(request.headers['api-version'], credential.api_version);
    const language = negotiateLanguage(request.headers['accept-language'], credential.language);
    void reply.headers({ 'api-version': version, 'content-language': language, vary: 'Api-Version, Accept-Language, Authorization' });
    const scopes = new Set(credential.scopes);
    request.context = {
      actor: {
        credentialId: credential.id,
        keyId: credential.key_id,
        userId: credential.user_id,
        recruiterId: credential.recruiter_id,
        scopes,
      },
      version,
      settings: { baseUrl: this.environment.PUBLIC_BASE_URL, language },
    };
    const scope = this.reflector.getAllAndOverride<Scope | undefined>(SCOPE, targets);
    if (scope && !allows(scopes, scope)) throw new Problem(403, `The credential lacks the scope ${scope}`);
    return true;
  }
}

const unauthorized = (): Problem =>
  new Problem(401, 'The credentials are missing or invalid', {
    headers: { 'www-authenticate': 'Bearer realm="api", Basic realm="api", charset="UTF-8"' },
  });
