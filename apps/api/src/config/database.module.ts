import { Database, entitySchemas } from '@ats/domain';
import { Global, Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import { type Environment } from './env.js';
import { ENVIRONMENT } from './environment.module.js';

@Injectable()
class DatabaseShutdown implements OnApplicationShutdown {
  constructor(private readonly database: Database) {}

  onApplicationShutdown(): Promise<void> {
    return this.database.close();
  }
}

/** One pool of connections for the whole app, closed after the last request. */
@Global()
@Module({
  providers: [
    {
      provide: Database,
      inject: [ENVIRONMENT],
      useFactory: ({ DATABASE_URL }: Environment) =>
        Database.connect({ url: DATABASE_URL, applicationName: 'ats-api', entities: entitySchemas() }),
    },
    DatabaseShutdown,
  ],
  exports: [Database],
})
export class DatabaseModule {}
