import { readOutbox } from '@ats/domain';
import { Database, Replica } from '@ats/postgres';
import { addBuildInfo, addProcessMetrics, Reading } from '@ats/telemetry';
import { Global, Inject, Module, type OnModuleInit, Optional } from '@nestjs/common';
import { type Environment } from '../config/env.js';
import { ENVIRONMENT } from '@ats/nest-app';
import { addGauges } from './gauges.js';
import { MetricsController } from './metrics.controller.js';
import { Metrics } from './metrics.js';

/** Serves `/metrics` and provides the `Metrics` of this process to every module. */
@Global()
@Module({
  controllers: [MetricsController],
  providers: [{ provide: Metrics, useFactory: () => new Metrics() }],
  exports: [Metrics],
})
export class MetricsModule implements OnModuleInit {
  constructor(
    private readonly metrics: Metrics,
    private readonly database: Database,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
    @Optional() private readonly replica?: Replica,
  ) {}

  onModuleInit(): void {
    const { metrics, database, replica } = this;
    const { instruments, registry } = metrics;
    addProcessMetrics(registry);
    addBuildInfo(instruments, { version: this.environment.RELEASE, node: process.version });
    addGauges(instruments, { database, replica, outbox: new Reading({ read: () => readOutbox(database) }) });
  }
}
