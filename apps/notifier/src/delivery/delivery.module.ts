import { createDnsResolver, resolveWithHost } from '@ats/destination-guard';
import { Database, SecretBox, SIGNING_KEY_PURPOSE } from '@ats/domain';
import { Module } from '@nestjs/common';
import { networkInterfaces } from 'node:os';
import { type Clock, CLOCK } from '../config/clock.js';
import { type Environment } from '../config/env.js';
import { ENVIRONMENT } from '../config/environment.module.js';
import { type Logger, LOGGER } from '../logging/logger.js';
import { DueSignal } from '../running/signals.js';
import { PresenceModule } from '../running/presence.module.js';
import { WorkerPresence } from '../running/worker-presence.js';
import { Deliverer } from './deliverer.js';
import { DestinationClient, EXCHANGE_LIMITS } from './destination-client.js';

const RESOLVE_TIMEOUT_MS = 3_000;

@Module({
  imports: [PresenceModule],
  providers: [
    {
      provide: DestinationClient,
      inject: [ENVIRONMENT],
      useFactory: ({ ALLOW_HTTP_DESTINATIONS, ALLOW_PRIVATE_DESTINATIONS }: Environment) =>
        new DestinationClient({
          ...EXCHANGE_LIMITS,
          vetting: {
            allowHttp: ALLOW_HTTP_DESTINATIONS,
            allowPrivate: ALLOW_PRIVATE_DESTINATIONS,
            resolve: ALLOW_PRIVATE_DESTINATIONS ? resolveWithHost : createDnsResolver({ timeoutMs: RESOLVE_TIMEOUT_MS }),
            timeoutMs: RESOLVE_TIMEOUT_MS,
            refusedAddresses: Object.values(networkInterfaces()).flatMap((entries) => (entries ?? []).map(({ address }) => address)),
          },
        }),
    },
    {
      provide: Deliverer,
      inject: [Database, DestinationClient, ENVIRONMENT, WorkerPresence, CLOCK, LOGGER, DueSignal],
      useFactory: (
        database: Database,
        client: DestinationClient,
        { SECRET_KEY, DELIVERY_SCHEDULE }: Environment,
        presence: WorkerPresence,
        clock: Clock,
        logger: Logger,
        due: DueSignal,
      ) =>
        new Deliverer({
          database,
          client,
          clock,
          logger,
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
