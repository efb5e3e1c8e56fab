import { EVENT_CHANNEL, MAIL_CHANNEL } from '@ats/domain';
import { Database } from '@ats/postgres';
import { Module } from '@nestjs/common';
import { type Logger } from '@ats/logging';
import { LOGGER } from '../config/logger.js';
import { DueSignal, EventSignal, MailSignal } from './signals.js';
import { WorkerPresence } from './worker-heartbeat.js';

@Module({
  providers: [
    DueSignal,
    EventSignal,
    MailSignal,
    {
      provide: WorkerPresence,
      inject: [Database, LOGGER, EventSignal, MailSignal],
      useFactory: (database: Database, logger: Logger, events: EventSignal, mails: MailSignal) =>
        new WorkerPresence({
          database,
          logger,
          listeners: { [EVENT_CHANNEL]: events.raise, [MAIL_CHANNEL]: mails.raise },
        }),
    },
  ],
  exports: [DueSignal, EventSignal, MailSignal, WorkerPresence],
})
export class PresenceModule {}
