import { type DynamicModule, Global, Module } from '@nestjs/common';
import { AnnouncingModule } from './maintenance/announcing.module.js';
import { CLOCK, systemClock } from './config/clock.js';
import { DatabaseModule } from './config/database.module.js';
import { type Environment } from './config/env.js';
import { EnvironmentModule } from './config/environment.module.js';
import { DeliveryModule } from './delivery/delivery.module.js';
import { FeedingModule } from './delivery/feeding.module.js';
import { HealthController } from './health/health.controller.js';
import { type Logger } from '@ats/logging';
import { LOGGER } from './config/logger.js';
import { MailModule } from './mail/mail.module.js';
import { MatchingModule } from './matching/matching.module.js';
import { MeasuresModule } from './counters/counters.module.js';
import { MetricsModule } from './metrics/metrics.module.js';
import { TracingModule } from './metrics/tracing.module.js';
import { ReconcilingModule } from './maintenance/reconciling.module.js';
import { RedeliveringModule } from './maintenance/redelivering.module.js';
import { Notifier } from './notifier.js';
import { PresenceModule } from './loops/loops.module.js';
import { RetentionModule } from './maintenance/retention.module.js';
import { SweepingModule } from './maintenance/sweeping.module.js';
import { WatchingModule } from './loops/watchdog.module.js';

@Global()
@Module({})
class BasicsModule {
  static with(logger: Logger): DynamicModule {
    return {
      module: BasicsModule,
      providers: [
        { provide: LOGGER, useValue: logger },
        { provide: CLOCK, useValue: systemClock },
      ],
      exports: [LOGGER, CLOCK],
    };
  }
}

@Module({})
export class NotifierModule {
  static with(environment: Environment, logger: Logger): DynamicModule {
    return {
      module: NotifierModule,
      imports: [
        EnvironmentModule.with(environment),
        TracingModule,
        BasicsModule.with(logger),
        DatabaseModule,
        MeasuresModule,
        PresenceModule,
        AnnouncingModule,
        MatchingModule,
        DeliveryModule,
        FeedingModule,
        MailModule.with(environment),
        SweepingModule,
        RedeliveringModule,
        RetentionModule,
        ReconcilingModule,
        MetricsModule,
        WatchingModule,
      ],
      providers: [Notifier],
      controllers: [HealthController],
    };
  }
}
