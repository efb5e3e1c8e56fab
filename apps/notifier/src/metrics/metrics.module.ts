import { Database } from '@ats/postgres';
import { addBuildInfo, metricsHook } from '@ats/telemetry';
import { Module, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { type FastifyAdapter } from '@nestjs/platform-fastify';
import { type Environment } from '../config/env.js';
import { ENVIRONMENT } from '@ats/nest-app';
import { Metrics } from '../counters/metrics.js';
import { DeliveryQueuesModule, LANE_HANDLES, type LaneHandles } from '../delivery/delivery-queues.module.js';
import { MAIL_HANDLE } from '../mail/mail.module.js';
import { type QueueHandle } from '../queues/queues.js';
import { RedisCircuitBreaker } from '../queues/redis-circuit-breaker.js';
import { addGauges } from './gauges.js';
import { MetricsController } from './metrics.controller.js';
import { Readings } from './readings.js';

/** Serves `/metrics`. Reads the gauges whose values are the same in all notifiers. */
@Module({
  imports: [DeliveryQueuesModule],
  providers: [
    {
      provide: Readings,
      inject: [ENVIRONMENT, Database, Metrics, RedisCircuitBreaker, LANE_HANDLES, MAIL_HANDLE],
      useFactory: (
        environment: Environment,
        database: Database,
        metrics: Metrics,
        breaker: RedisCircuitBreaker,
        lanes: LaneHandles,
        mail: QueueHandle | null,
      ) => {
        const handles = [...Object.values(lanes), ...(mail ? [mail] : [])];
        const readings = new Readings(database, handles, breaker, { hasMail: mail !== null });
        addBuildInfo(metrics.instruments, { version: environment.RELEASE, node: process.version });
        addGauges(metrics.instruments, readings, database);
        return readings;
      },
    },
  ],
  controllers: [MetricsController],
  exports: [DeliveryQueuesModule, Readings],
})
export class MetricsModule implements OnModuleInit {
  constructor(
    private readonly server: HttpAdapterHost<FastifyAdapter>,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    this.server.httpAdapter.getInstance().addHook('onRequest', metricsHook(this.metrics.requests));
  }
}
