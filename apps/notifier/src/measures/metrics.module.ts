import { Database } from '@ats/domain';
import { Module } from '@nestjs/common';
import { FeedingModule, QUEUES } from '../feeding/feeding.module.js';
import { deliveryLine, LANES, type Queues } from '../feeding/queues.js';
import { RedisTrust } from '../feeding/redis-trust.js';
import { type Mailing, MAILING } from '../mail/mailing.js';
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
      inject: [Database, Measures, RedisTrust, QUEUES, MAILING],
      useFactory: (database: Database, measures: Measures, trust: RedisTrust, queues: Queues, mailing: Mailing | null) => {
        const lines = [...LANES.map((lane) => deliveryLine(lane, queues)), ...(mailing ? [mailing.line] : [])];
        const readings = new Readings(database, lines, trust, { hasMail: mailing !== null });
        addGauges(measures.registry, readings, database);
        return readings;
      },
    },
  ],
  controllers: [MetricsController],
  exports: [Readings],
})
export class MetricsModule {}
