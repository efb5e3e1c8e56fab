import { Database, type DatabaseOptions, type DatabaseStateChange, stateInWords } from '@ats/postgres';
import { type DynamicModule, Global, Injectable, Logger, Module, type OnApplicationShutdown } from '@nestjs/common';
import { ENVIRONMENT } from './environment.module.js';

/** Options of an app's connections. The app's variable `DATABASE_URL` has the URL of the database. */
export type DatabaseModuleOptions = Pick<
  DatabaseOptions,
  'applicationName' | 'poolSize' | 'readShare' | 'idleInTransactionTimeoutMs' | 'entities' | 'migrations'
>;

const log = new Logger('database');
const onStateChange = (change: DatabaseStateChange): void => log.warn(stateInWords(change));

@Injectable()
class DatabaseShutdown implements OnApplicationShutdown {
  constructor(private readonly database: Database) {}

  onApplicationShutdown(): Promise<void> {
    return this.database.close();
  }
}

/** Provides one {@link Database} for the whole app. It is closed after everything that uses it has stopped. */
@Global()
@Module({})
export class DatabaseModule {
  static with(options: DatabaseModuleOptions): DynamicModule {
    return {
      module: DatabaseModule,
      providers: [
        {
          provide: Database,
          inject: [ENVIRONMENT],
          useFactory: ({ DATABASE_URL: url }: { readonly DATABASE_URL: string }) =>
            Database.open({ ...options, url, onStateChange }),
        },
        DatabaseShutdown,
      ],
      exports: [Database],
    };
  }
}
