import { createRequire } from 'node:module';
import { migrations } from '@ats/domain';
import { DatabaseModule, EnvironmentModule, TracingModule } from '@ats/nest-app';
import { type Logger } from '@ats/logging';
import { type DynamicModule, Global, Module } from '@nestjs/common';
import { CLOCK, systemClock } from './config/clock.js';
import { type Environment } from './config/env.js';
import { LOGGER } from './config/logger.js';
import { CountersModule } from './counters/counters.module.js';
import { DeliveryModule } from './delivery/delivery.module.js';
import { HealthController } from './health/health.controller.js';
import { LoopsModule } from './loops/loops.module.js';
import { MailModule } from './mail/mail.module.js';
import { MaintenanceModule } from './maintenance/maintenance.module.js';
import { MatchingModule } from './matching/matching.module.js';
import { MetricsModule } from './metrics/metrics.module.js';
import { Notifier } from './notifier.js';
import { RedisModule } from './queues/redis.module.js';

/**
 * Maximum number of connections for transactions, besides those that `Database.dedicated` opens. Matching, sweeping and
 * the LISTEN connections hold one each.
 */
const POOL_SIZE = 16;
/**
 * Idle time after which the server ends a transaction. Otherwise a process that is frozen in a transaction would keep
 * its locks. No transaction needs this long between two statements.
 */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 60_000;

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
        TracingModule.with({ serviceName: 'ats-notifier', require: createRequire(import.meta.url) }),
        BasicsModule.with(logger),
        DatabaseModule.with({
          applicationName: 'ats-notifier',
          poolSize: POOL_SIZE,
          idleInTransactionTimeoutMs: IDLE_IN_TRANSACTION_TIMEOUT_MS,
          migrations,
        }),
        CountersModule,
        LoopsModule,
        RedisModule,
        MatchingModule,
        DeliveryModule,
        MailModule.with(environment),
        MaintenanceModule,
        MetricsModule,
      ],
      providers: [Notifier],
      controllers: [HealthController],
    };
  }
}
