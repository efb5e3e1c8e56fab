import { Module } from '@nestjs/common';
import { FeedingModule, QUEUES } from '../delivery/feeding.module.js';
import { deliveryLine, LANES, type Queues } from '../queues/queues.js';
import { type Logger } from '@ats/logging';
import { LOGGER } from '../config/logger.js';
import { type Mailing, MAILING } from '../mail/mailing.js';
import { Watchdog } from './watchdog.js';

@Module({
  imports: [FeedingModule],
  providers: [
    {
      provide: Watchdog,
      inject: [LOGGER, QUEUES, MAILING],
      useFactory: (logger: Logger, queues: Queues, mailing: Mailing | null) => {
        const lines = [...LANES.map((lane) => deliveryLine(lane, queues)), ...(mailing ? [mailing.line] : [])];
        return new Watchdog({ lines, logger, now: () => performance.now(), exit: () => process.exit(1) });
      },
    },
  ],
  exports: [Watchdog],
})
export class WatchingModule {}
