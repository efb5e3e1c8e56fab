import { Database, Replica } from '@ats/postgres';
import { CursorCodec } from '@ats/pagination';
import { Global, Module } from '@nestjs/common';
import { AuditLog } from '../audit/audit-log.js';
import { type Environment } from '../config/env.js';
import { ENVIRONMENT } from '@ats/nest-app';
import { RedisLink } from '../config/redis-link.js';
import { RedisModule } from '../config/redis.module.js';
import { ReplicaModule } from '../config/replica.module.js';
import { Metrics } from '../metrics/metrics.js';
import { monotonicClock } from './clock.js';
import { CollectionParameters } from './collection-parameters.js';
import { CountCache } from './count-cache.js';
import { Exports } from './exports.js';
import { GroupCounts } from './group-counts.js';
import { Lists } from './lists.js';
import { ObjectPreviews } from './object-previews.js';
import { PageCursors } from './page-cursors.js';
import { PageLinks } from './page-links.js';
import { PageServers } from './page-servers.js';
import { ResourceReader } from './resource-reader.js';
import { StoredFilters } from './stored-filters.js';
import { StoredQueries } from './stored-queries.js';
import { UnitOfWork } from './unit-of-work.js';
import { ViewParameters } from './view-parameters.js';
import { WrittenPositions } from './written-positions.js';

/**
 * Returns the names of the installation in Redis, one for each secret key. During a rotation of the key, processes with
 * the old key and processes with the new key must find the same `WrittenPositions`.
 */
const installationsOf = ({ SECRET_KEY, SECRET_KEY_PREVIOUS, DATABASE_URL }: Environment): readonly string[] =>
  [SECRET_KEY, SECRET_KEY_PREVIOUS]
    .filter((key) => key !== undefined)
    .map((key) => `${key} ${new URL(DATABASE_URL).pathname}`);

/** Providers that read and write the items of every resource. */
@Global()
@Module({
  imports: [RedisModule, ReplicaModule],
  providers: [
    CollectionParameters,
    Exports,
    GroupCounts,
    Lists,
    ObjectPreviews,
    PageCursors,
    PageLinks,
    ResourceReader,
    StoredFilters,
    StoredQueries,
    UnitOfWork,
    ViewParameters,
    {
      provide: CountCache,
      inject: [Database, Metrics, AuditLog],
      useFactory: ({ counting }: Database, metrics: Metrics, audit: AuditLog) => {
        const counts = new CountCache(counting.size, monotonicClock, {
          share: counting.share,
          note: metrics.counted,
          onlyAudited: (transaction) => audit.hasOnlyAdded(transaction),
        });
        metrics.watchCountCache(() => counts.size);
        return counts;
      },
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
      useFactory: (link: RedisLink, environment: Environment, replica?: Replica) =>
        replica && new WrittenPositions({ link, replica, installations: installationsOf(environment) }),
    },
    {
      provide: CursorCodec,
      inject: [ENVIRONMENT],
      useFactory: ({ SECRET_KEY, SECRET_KEY_PREVIOUS }: Environment) =>
        new CursorCodec(SECRET_KEY, { otherKey: SECRET_KEY_PREVIOUS, purpose: 'ats/pagination/cursor/1' }),
    },
  ],
  exports: [
    CursorCodec,
    GroupCounts,
    Lists,
    ObjectPreviews,
    PageLinks,
    PageServers,
    ResourceReader,
    StoredQueries,
    UnitOfWork,
    ViewParameters,
  ],
})
export class CollectionsModule {}
