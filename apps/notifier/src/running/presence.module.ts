import { Database } from '@ats/domain';
import { Module } from '@nestjs/common';
import { type Logger, LOGGER } from '../logging/logger.js';
import { DueSignal, EventSignal } from './signals.js';
import { WorkerPresence } from './worker-presence.js';

@Module({
  providers: [
    DueSignal,
    EventSignal,
    {
      provide: WorkerPresence,
      inject: [Database, LOGGER, EventSignal],
      useFactory: (database: Database, logger: Logger, events: EventSignal) => new WorkerPresence({ database, logger, onWake: events.raise }),
    },
  ],
  exports: [DueSignal, EventSignal, WorkerPresence],
})
export class PresenceModule {}
