import { Database } from '@ats/postgres';
import { Module } from '@nestjs/common';
import { type Logger } from '@ats/logging';
import { LOGGER } from '../config/logger.js';
import { PresenceModule } from '../loops/loops.module.js';
import { DueSignal } from '../loops/signals.js';
import { Redeliverer } from './redeliverer.js';

@Module({
  imports: [PresenceModule],
  providers: [
    {
      provide: Redeliverer,
      inject: [Database, LOGGER, DueSignal],
      useFactory: (database: Database, logger: Logger, due: DueSignal) =>
        new Redeliverer({ database, logger, onDue: due.raise }),
    },
  ],
  exports: [Redeliverer],
})
export class RedeliveringModule {}
