import { Database } from '@ats/domain';
import { BullModule, getQueueToken } from '@nestjs/bull';
import { Global, Module } from '@nestjs/common';
import { type Queue } from 'bull';
import { type Environment } from '../config/env.js';
import { ENVIRONMENT } from '../config/environment.module.js';
import { Deliverer } from '../delivery/deliverer.js';
import { DeliveryModule } from '../delivery/delivery.module.js';
import { type Logger, LOGGER } from '../logging/logger.js';
import { Measures } from '../measures/measures.js';
import { BullWorkers } from './bull-workers.js';
import { Dispatcher } from './dispatcher.js';
import { Feeder } from './feeder.js';
import { type DeliveryJob, LANES, queueOptions } from './queues.js';
import { RedisConnections } from './redis-connections.js';
import { RedisTrust } from './redis-trust.js';

@Global()
@Module({
  providers: [
    { provide: RedisConnections, inject: [ENVIRONMENT], useFactory: ({ REDIS_URL }: Environment) => new RedisConnections(REDIS_URL) },
  ],
  exports: [RedisConnections],
})
class RedisModule {}

type Queues = readonly [hot: Queue<DeliveryJob>, slow: Queue<DeliveryJob>];
const QUEUE_TOKENS = LANES.map((lane) => getQueueToken(lane));

@Module({
  imports: [
    RedisModule,
    DeliveryModule,
    ...LANES.map((lane) =>
      BullModule.registerQueueAsync({
        name: lane,
        inject: [RedisConnections],
        useFactory: (connections: RedisConnections) => queueOptions(lane, connections),
      }),
    ),
  ],
  providers: [
    {
      provide: RedisTrust,
      inject: [...QUEUE_TOKENS],
      useFactory: (...[hot, slow]: Queues) => new RedisTrust({ hot, slow }),
    },
    {
      provide: Dispatcher,
      inject: [Deliverer, Measures, RedisTrust, LOGGER, ...QUEUE_TOKENS],
      useFactory: (deliverer: Deliverer, measures: Measures, trust: RedisTrust, logger: Logger, ...[hot, slow]: Queues) =>
        new Dispatcher({ queues: { hot, slow }, trust, logger, deliver: (job, lane) => measures.followDirect(lane, deliverer.deliver(job)) }),
    },
    {
      provide: BullWorkers,
      inject: [Deliverer, Measures, LOGGER, ...QUEUE_TOKENS],
      useFactory: (deliverer: Deliverer, measures: Measures, logger: Logger, ...[hot, slow]: Queues) =>
        new BullWorkers({ hot, slow }, (job, lane) => measures.follow(lane, deliverer.deliver(job)), logger),
    },
    {
      provide: Feeder,
      inject: [Database, Dispatcher],
      useFactory: (database: Database, dispatcher: Dispatcher) => new Feeder(database, dispatcher),
    },
  ],
  exports: [BullModule, BullWorkers, Dispatcher, Feeder, RedisTrust],
})
export class FeedingModule {}
