import { Database } from '@ats/postgres';
import { addBuildInfo, measuringHook } from '@ats/telemetry';
import { Module, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { type FastifyAdapter } from '@nestjs/platform-fastify';
import { type Environment } from '../config/env.js';
import { ENVIRONMENT } from '../config/environment.module.js';
import { FeedingModule, QUEUES } from '../delivery/feeding.module.js';
import { deliveryLine, LANES, type Queues } from '../queues/queues.js';
import { RedisTrust } from '../queues/redis-circuit-breaker.js';
import { type Mailing, MAILING } from '../mail/mailing.js';
import { addGauges } from './gauges.js';
import { Measures } from '../counters/metrics.js';
import { MetricsController } from './metrics.controller.js';
import { Readings } from './readings.js';

/** What is seen from outside, beside what the process counts itself. */
@Module({
  imports: [FeedingModule],
  providers: [
    {
      provide: Readings,
      inject: [ENVIRONMENT, Database, Measures, RedisTrust, QUEUES, MAILING],
      useFactory: (
        environment: Environment,
        database: Database,
        measures: Measures,
        trust: RedisTrust,
        queues: Queues,
        mailing: Mailing | null,
      ) => {
        const lines = [...LANES.map((lane) => deliveryLine(lane, queues)), ...(mailing ? [mailing.line] : [])];
        const readings = new Readings(database, lines, trust, { hasMail: mailing !== null });
        addBuildInfo(measures.instruments, { version: environment.RELEASE, node: process.version });
        addGauges(measures.instruments, readings, database);
        return readings;
      },
    },
  ],
  controllers: [MetricsController],
  exports: [Readings],
})
export class MetricsModule implements OnModuleInit {
  constructor(
    private readonly server: HttpAdapterHost<FastifyAdapter>,
    private readonly measures: Measures,
  ) {}

  onModuleInit(): void {
    this.server.httpAdapter.getInstance().addHook('onRequest', measuringHook(this.measures.requests));
  }
}
