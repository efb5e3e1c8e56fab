import { Module } from '@nestjs/common';
import { FeedingModule, QUEUES } from '../feeding/feeding.module.js';
import { deliveryLine, LANES, type Queues } from '../feeding/queues.js';
import { type Logger, LOGGER } from '../logging/logger.js';
import { Watchdog } from './watchdog.js';

@Module({
  imports: [FeedingModule],
  providers: [
    {
      provide: Watchdog,
      inject: [LOGGER, QUEUES],
      useFactory: (logger: Logger, queues: Queues) =>
        new Watchdog({ lines: LANES.map((lane) => deliveryLine(lane, queues)), logger, now: () => performance.now(), exit: () => process.exit(1) }),
    },
  ],
  exports: [Watchdog],
})
export class WatchingModule {}
