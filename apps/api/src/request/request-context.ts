import { type IdempotencyClaim, type Language, type ReadSettings, type SecretBox } from '@ats/domain';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { type CompatibilityFlag } from '../vocabulary/compatibility-flag.js';

/** The credential of a request. */
export interface Actor {
  readonly credentialId: number;
  /** Public part of the token, for the log. */
  readonly keyId: string;
  /** The API user that the credential belongs to. */
  readonly userId: number;
  /** The recruiter on whose behalf the credential acts: the `user` of its changes and events. */
  readonly recruiterId: number;
  readonly scopes: ReadonlySet<string>;
  /** Expiry of the access token. Absent when the request has the credential's own token. */
  readonly accessEndsDt?: Date;
}

/** The settings of a request on which its representations depend. The language is a supported one. */
export interface RequestSettings extends ReadSettings {
  readonly language: Language;
}

/** The information about a request besides its path, query and body. `ContextBuilder` builds it once per request. */
export interface RequestContext {
  /** The value of `X-Request-Id`. */
  readonly requestId: string;
  /** IP address of the client. */
  readonly address: string;
  readonly actor: Actor;
  /** A served minor version, such as `1.7`. */
  readonly version: string;
  /** Compatibility flags that are in force for the request. */
  readonly compatibilityFlags: ReadonlySet<CompatibilityFlag>;
  readonly settings: RequestSettings;
  /**
   * The claim of the idempotency key, and the encryption of the stored answer. Present on a POST with an
   * `Idempotency-Key`.
   */
  readonly idempotency?: {
    readonly claim: IdempotencyClaim;
    readonly secretBox: SecretBox;
    /** Properties that only the first answer has. The answer to a repeated request lacks them. */
    readonly shownOnce?: readonly string[] | undefined;
  };
}

/**
 * Version and language of a representation. They are part of its `ETag`.
 * Source: docs/reference/resources.md, "ETag and If-Match".
 */
export const variantOf = ({ version, settings }: RequestContext, language: string = settings.language): string =>
  `${version} ${language}`;

declare module 'fastify' {
  interface FastifyRequest {
    context?: RequestContext;
  }
  interface FastifyContextConfig {
    /** Properties that only the first answer has. The answer to a repeated request lacks them. */
    shownOnce?: readonly string[];
  }
}

/** Returns the context of an authenticated request. */
export function contextOf({ context }: FastifyRequest): RequestContext {
  if (!context) throw new Error('a request of a public route has no request context');
  return context;
}

/** Injects the context of an authenticated request into a handler. */
export const Context = createParamDecorator(
  (_: unknown, host: ExecutionContext): RequestContext => contextOf(host.switchToHttp().getRequest<FastifyRequest>()),
);
