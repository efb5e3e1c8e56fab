import { Database, Replica, type ReplicaState } from '@ats/postgres';
import { Global, Inject, Injectable, Logger, Module, type OnApplicationShutdown, Optional } from '@nestjs/common';
import { type Environment } from './env.js';
import { ENVIRONMENT } from '@ats/nest-app';

const log = new Logger('replica');

const LOG_TEXTS: Readonly<Record<ReplicaState, string>> = {
  up: 'collections are read from the replica',
  down: 'replica is unavailable: collections are read from the primary',
  promoted: 'the server at DATABASE_REPLICA_URL is not a standby: collections are read from the primary',
  foreign: 'the server at DATABASE_REPLICA_URL is a replica of another database: collections are read from the primary',
};

function logState(state: ReplicaState, problem?: unknown): void {
  const reason =
    problem instanceof Error ? ` (${(problem as { readonly code?: unknown }).code?.toString() ?? problem.name})` : '';
  if (state === 'up') log.log(LOG_TEXTS.up);
  else log.warn(`${LOG_TEXTS[state]}${reason}`);
}

@Injectable()
class ReplicaShutdown implements OnApplicationShutdown {
  constructor(@Optional() @Inject(Replica) private readonly replica?: Replica) {}

  async onApplicationShutdown(): Promise<void> {
    await this.replica?.close();
  }
}

/**
 * Provides the replica that serves pages of collections; it is undefined when no replica is configured. The app starts
 * and serves requests also while the replica is unavailable.
 */
@Global()
@Module({
  providers: [
    {
      provide: Replica,
      inject: [ENVIRONMENT, Database],
      useFactory: (
        { DATABASE_URL, DATABASE_REPLICA_URL }: Environment,
        { reading, counting }: Database,
      ): Replica | undefined =>
        DATABASE_REPLICA_URL === undefined
          ? undefined
          : new Replica({
              primaryUrl: DATABASE_URL,
              url: DATABASE_REPLICA_URL,
              applicationName: 'ats-api',
              reading,
              counting,
              onChange: logState,
            }),
    },
    ReplicaShutdown,
  ],
  exports: [Replica],
})
export class ReplicaModule {}
