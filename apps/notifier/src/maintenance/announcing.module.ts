import { Database } from '@ats/postgres';
import { Module } from '@nestjs/common';
import { type Environment } from '../config/env.js';
import { ENVIRONMENT } from '../config/environment.module.js';
import { PresenceModule } from '../loops/loops.module.js';
import { EventSignal } from '../loops/signals.js';
import { Announcer } from './posting-status-scheduler.js';

@Module({
  imports: [PresenceModule],
  providers: [
    {
      provide: Announcer,
      inject: [Database, ENVIRONMENT, EventSignal],
      useFactory: (database: Database, { PUBLIC_BASE_URL: baseUrl }: Environment, events: EventSignal) =>
        new Announcer({ database, baseUrl, onEvent: events.raise }),
    },
  ],
  exports: [Announcer],
})
export class AnnouncingModule {}
