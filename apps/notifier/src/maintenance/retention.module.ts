import { Database } from '@ats/postgres';
import { Module } from '@nestjs/common';
import { type Environment } from '../config/env.js';
import { ENVIRONMENT } from '../config/environment.module.js';
import { type Logger } from '@ats/logging';
import { LOGGER } from '../config/logger.js';
import { Retention } from './retention.js';

@Module({
  providers: [
    {
      provide: Retention,
      inject: [Database, ENVIRONMENT, LOGGER],
      useFactory: (
        database: Database,
        { DELIVERY_RETENTION_DAYS, EVENT_RETENTION_DAYS }: Environment,
        logger: Logger,
      ) => new Retention({ database, logger, deliveryDays: DELIVERY_RETENTION_DAYS, eventDays: EVENT_RETENTION_DAYS }),
    },
  ],
  exports: [Retention],
})
export class RetentionModule {}
