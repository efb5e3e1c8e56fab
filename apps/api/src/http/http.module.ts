import { Global, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import { AuthGuard } from './auth.guard.js';
import { Authentication } from './authentication.js';
import { CredentialStore } from './credential-store.js';
import { IdempotencyInterceptor } from './idempotency.interceptor.js';
import { ProblemFilter } from './problem.filter.js';
import { ResourceReader } from './resource-reader.js';
import { RouteTable } from './route-table.js';
import { UnitOfWork } from './unit-of-work.js';

/** What all resources share: authentication, errors, reading and writing. */
@Global()
@Module({
  providers: [
    Authentication,
    CredentialStore,
    ResourceReader,
    RouteTable,
    UnitOfWork,
    { provide: APP_GUARD, useClass: AuthGuard },
    { provide: APP_INTERCEPTOR, useClass: IdempotencyInterceptor },
    { provide: APP_FILTER, useClass: ProblemFilter },
  ],
  exports: [Authentication, ResourceReader, RouteTable, UnitOfWork],
})
export class HttpModule {}
