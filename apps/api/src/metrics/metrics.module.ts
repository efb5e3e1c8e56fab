import { Database, readOutbox, Replica } from '@ats/domain';
import { addBuildInfo, addProcessMetrics, Reading } from '@ats/telemetry';
import { Inject, Module, type OnModuleInit, Optional } from '@nestjs/common';
import { type Environment } from '../config/env.js';
import { ENVIRONMENT } from '../config/environment.module.js';
import { CountCache } from '../collections/count-cache.js';
import { addGauges } from './gauges.js';
import { Measures } from './metrics.js';
import { MetricsController } from './metrics.controller.js';

/** What is seen from outside, beside what the process counts itself. */
@Module({ controllers: [MetricsController] })
export class MetricsModule implements OnModuleInit {
  constructor(
    private readonly measures: Measures,
    private readonly database: Database,
    private readonly counts: CountCache,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
    @Optional() private readonly replica?: Replica,
  ) {}

  onModuleInit(): void {
    const { measures, database, counts, replica } = this;
    const { instruments, registry } = measures;
    addProcessMetrics(registry);
    addBuildInfo(instruments, { version: this.environment.RELEASE, node: process.version });
    addGauges(instruments, { database, counts, replica, outbox: new Reading({ read: () => readOutbox(database) }) });
  }
}
