import { Database } from '@ats/postgres';
import { Module } from '@nestjs/common';
import { Dispatcher } from '../delivery/lane-dispatcher.js';
import { FeedingModule } from '../delivery/feeding.module.js';
import { type Logger } from '@ats/logging';
import { LOGGER } from '../config/logger.js';
import { Measures } from '../counters/metrics.js';
import { PresenceModule } from '../loops/loops.module.js';
import { DueSignal } from '../loops/signals.js';
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
