import { getQueueToken } from '@nestjs/bull';
import { Module } from '@nestjs/common';
import { type Queue } from 'bull';
import { FeedingModule } from '../feeding/feeding.module.js';
import { type DeliveryJob, LANES } from '../feeding/queues.js';
import { type Logger, LOGGER } from '../logging/logger.js';
import { Watchdog } from './watchdog.js';

@Module({
  imports: [FeedingModule],
  providers: [
    {
      provide: Watchdog,
      inject: [LOGGER, ...LANES.map((lane) => getQueueToken(lane))],
      useFactory: (logger: Logger, ...[hot, slow]: readonly [hot: Queue<DeliveryJob>, slow: Queue<DeliveryJob>]) =>
        new Watchdog({ queues: { hot, slow }, logger, now: () => performance.now(), exit: () => process.exit(1) }),
    },
  ],
  exports: [Watchdog],
})
export class WatchingModule {}
