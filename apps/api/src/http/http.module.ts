import { Global, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import { AuthGuard } from './auth.guard.js';
import { Authentication } from './authentication.js';
import { CollectionParameters } from './collection-parameters.js';
import { CredentialStore } from './credential-store.js';
import { IdempotencyInterceptor } from './idempotency.interceptor.js';
import { ProblemFilter } from './problem.filter.js';
import { ResourceReader } from './resource-reader.js';
import { RouteTable } from './route-table.js';
import { UnitOfWork } from './unit-of-work.js';
import { ViewParameters } from './view-parameters.js';

/** What all resources share: authentication, errors, reading and writing. */
@Global()
@Module({
  providers: [
    Authentication,
    CollectionParameters,
    CredentialStore,
    ResourceReader,
    RouteTable,
    UnitOfWork,
    ViewParameters,
    { provide: APP_GUARD, useClass: AuthGuard },
    { provide: APP_INTERCEPTOR, useClass: IdempotencyInterceptor },
    { provide: APP_FILTER, useClass: ProblemFilter },
  ],
  exports: [Authentication, ResourceReader, RouteTable, UnitOfWork, ViewParameters],
})
export class HttpModule {}
