import { Database } from '@ats/domain';
import { getQueueToken } from '@nestjs/bull';
import { Module } from '@nestjs/common';
import { type Queue } from 'bull';
import { FeedingModule } from '../feeding/feeding.module.js';
import { type DeliveryJob, LANES } from '../feeding/queues.js';
import { RedisTrust } from '../feeding/redis-trust.js';
import { addGauges } from './gauges.js';
import { Measures } from './measures.js';
import { MetricsController } from './metrics.controller.js';
import { Readings } from './readings.js';

/** What is seen from outside, beside what the process counts itself. */
@Module({
  imports: [FeedingModule],
  providers: [
    {
      provide: Readings,
      inject: [Database, Measures, RedisTrust, ...LANES.map((lane) => getQueueToken(lane))],
      useFactory: (database: Database, measures: Measures, trust: RedisTrust, ...[hot, slow]: readonly [hot: Queue<DeliveryJob>, slow: Queue<DeliveryJob>]) => {
        const readings = new Readings(database, { hot, slow }, trust);
        addGauges(measures.registry, readings, database);
        return readings;
      },
    },
  ],
  controllers: [MetricsController],
  exports: [Readings],
})
export class MetricsModule {}
