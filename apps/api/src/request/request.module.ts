import { type DynamicModule, Global, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import { ENVIRONMENT } from '@ats/nest-app';
import { type Environment } from '../config/env.js';
import { AccessTokens } from './access-tokens.js';
import { type AppOptions } from './app-options.js';
import { OlderRequests } from '../versions/older-requests.interceptor.js';
import { Authentication } from './authentication.js';
import { ContextBuilder } from './context-builder.js';
import { CredentialStore } from './credential-store.js';
import { Draining } from './draining.js';
import { EmptyBodies } from './empty-bodies.interceptor.js';
import { IdempotencyInterceptor } from './idempotency.interceptor.js';
import { ProblemFilter } from './problem.filter.js';
import { RouteTable } from './route-table.js';
import { ScopeGuard } from './scope.guard.js';

/** The guards, filters and interceptors that every request passes. */
@Global()
@Module({
  providers: [
    {
      provide: AccessTokens,
      inject: [ENVIRONMENT],
      useFactory: (environment: Environment) => new AccessTokens(environment, environment.PUBLIC_BASE_URL),
    },
    Authentication,
    ContextBuilder,
    CredentialStore,
    Draining,
    RouteTable,
    { provide: APP_GUARD, useClass: ScopeGuard },
    { provide: APP_FILTER, useClass: ProblemFilter },
  ],
  exports: [AccessTokens, Authentication, ContextBuilder, CredentialStore, Draining, RouteTable],
})
export class RequestModule {
  static with({ versioning = true }: AppOptions): DynamicModule {
    // OlderRequests must come first, because repeated requests are compared after their conversion to the newest
    // version. EmptyBodies must come last, because a repeated request with another body must get
    // `idempotency_mismatch`, even if the operation has no body.
    const interceptors = [...(versioning ? [OlderRequests] : []), IdempotencyInterceptor, EmptyBodies];
    return {
      module: RequestModule,
      providers: interceptors.map((useClass) => ({ provide: APP_INTERCEPTOR, useClass })),
    };
  }
}
