import { Database, Replica } from '@ats/domain';
import { CursorCodec } from '@ats/pagination';
import { type DynamicModule, Global, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import { type AppOptions } from '../app-options.js';
import { type Environment } from '../config/env.js';
import { ENVIRONMENT } from '../config/environment.module.js';
import { RedisLink } from '../config/redis-link.js';
import { RedisModule } from '../config/redis.module.js';
import { ReplicaModule } from '../config/replica.module.js';
import { Measures } from '../metrics/metrics.js';
import { OlderRequests } from '../versions/older-requests.interceptor.js';
import { AuthGuard } from './scope.guard.js';
import { Authentication } from './context-builder.js';
import { monotonicClock } from '../collections/clock.js';
import { CollectionParameters } from '../collections/collection-parameters.js';
import { CountCache } from '../collections/count-cache.js';
import { CredentialStore } from './credential-store.js';
import { Draining } from './draining.js';
import { Identification } from './authentication.js';
import { IdempotencyInterceptor } from './idempotency.interceptor.js';
import { PageCursors } from '../collections/page-cursors.js';
import { PageServers } from '../collections/page-servers.js';
import { ProblemFilter } from './problem.filter.js';
import { ResourceReader } from '../collections/resource-reader.js';
import { RouteTable } from './route-table.js';
import { StoredNarrowing } from '../collections/stored-filters.js';
import { UnitOfWork } from '../collections/unit-of-work.js';
import { ViewParameters } from '../collections/view-parameters.js';
import { WrittenPositions } from '../collections/written-positions.js';

/** What all resources share: authentication, errors, reading and writing. */
@Global()
@Module({
  imports: [RedisModule, ReplicaModule],
  providers: [
    Authentication,
    CollectionParameters,
    CredentialStore,
    Draining,
    Identification,
    PageCursors,
    ResourceReader,
    RouteTable,
    StoredNarrowing,
    UnitOfWork,
    ViewParameters,
    {
      provide: CountCache,
      inject: [Database, Measures],
      useFactory: ({ counting }: Database, { counted }: Measures) =>
        new CountCache(counting.size, monotonicClock, { note: counted }),
    },
    {
      provide: PageServers,
      inject: [Database, CountCache, Replica, WrittenPositions],
      useFactory: (database: Database, counts: CountCache, replica?: Replica, written?: WrittenPositions) =>
        new PageServers({ database, counts, replica, written }),
    },
    {
      provide: WrittenPositions,
      inject: [RedisLink, ENVIRONMENT, Replica],
      useFactory: (link: RedisLink, { SECRET_KEY, DATABASE_URL }: Environment, replica?: Replica) =>
        replica &&
        new WrittenPositions({ link, replica, installation: `${SECRET_KEY} ${new URL(DATABASE_URL).pathname}` }),
    },
    {
      provide: CursorCodec,
      inject: [ENVIRONMENT],
      useFactory: ({ SECRET_KEY }: Environment) => new CursorCodec(SECRET_KEY),
    },
    { provide: APP_GUARD, useClass: AuthGuard },
    { provide: APP_FILTER, useClass: ProblemFilter },
  ],
  exports: [
    Authentication,
    CountCache,
    Draining,
    Identification,
    PageServers,
    ResourceReader,
    RouteTable,
    UnitOfWork,
    ViewParameters,
  ],
})
export class HttpModule {
  static with({ versioning = true }: AppOptions): DynamicModule {
    // In this order: what a repeated request is compared with is in the newest form.
    const interceptors = [...(versioning ? [OlderRequests] : []), IdempotencyInterceptor];
    return { module: HttpModule, providers: interceptors.map((useClass) => ({ provide: APP_INTERCEPTOR, useClass })) };
  }
}
