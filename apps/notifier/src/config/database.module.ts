import { migrations } from '@ats/domain';
import { Database, type DatabaseStateChange, stateInWords } from '@ats/postgres';
import { Global, Injectable, Logger, Module, type OnApplicationShutdown } from '@nestjs/common';
import { type Environment } from './env.js';
import { ENVIRONMENT } from './environment.module.js';

/** Matching, feeding, sweeping and waking hold one each; the rest claims and finishes attempts. */
const POOL_SIZE = 20;

const log = new Logger('database');
const tell = (change: DatabaseStateChange): void => log.warn(stateInWords(change));

@Injectable()
class DatabaseShutdown implements OnApplicationShutdown {
  constructor(private readonly database: Database) {}

  onApplicationShutdown(): Promise<void> {
    return this.database.close();
  }
}

/** One pool of connections for the whole app, closed after everything that works has stopped. */
@Global()
@Module({
  providers: [
    {
      provide: Database,
      inject: [ENVIRONMENT],
      useFactory: ({ DATABASE_URL }: Environment) =>
        Database.open({
          url: DATABASE_URL,
          applicationName: 'ats-notifier',
          poolSize: POOL_SIZE,
          migrations,
          onStateChange: tell,
        }),
    },
    DatabaseShutdown,
  ],
  exports: [Database],
})
export class DatabaseModule {}
