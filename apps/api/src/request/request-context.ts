import { type IdempotencyClaim, type Language, type ReadSettings, type SecretBox } from '@ats/domain';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { type CompatibilityFlag } from '../vocabulary/compatibility-flag.js';

/** Who asks. */
export interface Actor {
  readonly credentialId: number;
  /** Public part of the token, for the log. */
  readonly keyId: string;
  /** The API user that the credential belongs to. */
  readonly userId: number;
  /** Whom the credential acts as: the `user` of its events. */
  readonly recruiterId: number;
  readonly scopes: ReadonlySet<string>;
}

/** What representations depend on: the base of addresses and the language. */
export interface RequestSettings extends ReadSettings {
  readonly language: Language;
}

/** All that a handler knows of its request beside path and body; negotiated once, by the guard. */
export interface RequestContext {
  /** `X-Request-Id`. */
  readonly requestId: string;
  readonly actor: Actor;
  /** One of `VERSIONS`. */
  readonly version: string;
  /** Compatibility flags in force. */
  readonly compatibilityFlags: ReadonlySet<CompatibilityFlag>;
  readonly settings: RequestSettings;
  /** For a POST with an `Idempotency-Key`: what its answer is kept with. */
  readonly idempotency?: { readonly claim: IdempotencyClaim; readonly secretBox: SecretBox };
}

/** The form in which a request reads: an `ETag` of another version or language is another one. CONTRACT.md 11. */
export const variantOf = ({ version, settings }: RequestContext, language: string = settings.language): string =>
  `${version} ${language}`;

declare module 'fastify' {
  interface FastifyRequest {
    context?: RequestContext;
  }
}

/** The context of an authenticated request. */
export const Context = createParamDecorator((_: unknown, host: ExecutionContext): RequestContext => {
  const { context } = host.switchToHttp().getRequest<FastifyRequest>();
  if (!context) throw new Error('the route is public: it has no context');
  return context;
});
