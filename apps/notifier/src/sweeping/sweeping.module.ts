import { Database } from '@ats/domain';
import { Module } from '@nestjs/common';
import { Dispatcher } from '../feeding/dispatcher.js';
import { FeedingModule } from '../feeding/feeding.module.js';
import { type Logger } from '@ats/logging';
import { LOGGER } from '../logging/logger.js';
import { Measures } from '../measures/measures.js';
import { PresenceModule } from '../running/presence.module.js';
import { DueSignal } from '../running/signals.js';
import { Sweeper } from './sweeper.js';

@Module({
  imports: [FeedingModule, PresenceModule],
  providers: [
    {
      provide: Sweeper,
      inject: [Database, Dispatcher, LOGGER, Measures, DueSignal],
      useFactory: (database: Database, dispatcher: Dispatcher, logger: Logger, measures: Measures, due: DueSignal) =>
        new Sweeper({ database, dispatcher, logger, measures, onDue: due.raise }),
    },
  ],
  exports: [Sweeper],
})
export class SweepingModule {}
