import { destinationGuard, SecretBox, SIGNING_KEY_PURPOSE } from '@ats/domain';
import { Database } from '@ats/postgres';
import { Module } from '@nestjs/common';
import { type Environment } from '../config/env.js';
import { ENVIRONMENT } from '../config/environment.module.js';
import { type Logger } from '@ats/logging';
import { LOGGER } from '../config/logger.js';
import { Measures } from '../counters/metrics.js';
import { DueSignal } from '../loops/signals.js';
import { PresenceModule } from '../loops/loops.module.js';
import { WorkerPresence } from '../loops/worker-heartbeat.js';
import { Deliverer } from './deliverer.js';
import { DestinationClient } from './http/destination-client.js';

@Module({
  imports: [PresenceModule],
  providers: [
    {
      provide: DestinationClient,
      inject: [ENVIRONMENT],
      useFactory: (environment: Environment) => new DestinationClient(destinationGuard(environment)),
    },
    {
      provide: Deliverer,
      inject: [Database, DestinationClient, ENVIRONMENT, WorkerPresence, LOGGER, DueSignal, Measures],
      useFactory: (
        database: Database,
        client: DestinationClient,
        { SECRET_KEY, DELIVERY_SCHEDULE }: Environment,
        presence: WorkerPresence,
        logger: Logger,
        due: DueSignal,
        measures: Measures,
      ) =>
        new Deliverer({
          database,
          client,
          logger,
          measures,
          claimant: presence,
          secretBox: new SecretBox(SECRET_KEY, SIGNING_KEY_PURPOSE),
          schedule: DELIVERY_SCHEDULE,
          random: Math.random,
          onFinished: due.raise,
        }),
    },
  ],
  exports: [Deliverer, DestinationClient],
})
export class DeliveryModule {}
