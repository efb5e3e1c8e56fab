import { Database } from '@ats/postgres';
import { parseRedisUrl, RedisConnections } from '@ats/redis-connection';
import { BullModule, getQueueToken } from '@nestjs/bull';
import { Global, Module } from '@nestjs/common';
import { type Queue } from 'bull';
import { type Environment } from '../config/env.js';
import { ENVIRONMENT } from '../config/environment.module.js';
import { Deliverer } from './deliverer.js';
import { DeliveryModule } from './delivery.module.js';
import { type Logger } from '@ats/logging';
import { LOGGER } from '../config/logger.js';
import { Measures } from '../counters/metrics.js';
import { BullWorker, BullWorkers } from '../queues/bull-worker.js';
import { Carrier } from '../queues/job-dispatcher.js';
import { Dispatcher } from './lane-dispatcher.js';
import { type Lane } from './store/due-deliveries.js';
import { Feeder } from './due-poller.js';
import { Places } from '../queues/concurrency-slots.js';
import { deliveryLine, type DeliveryJob, LANES, queueOptions, type Queues } from '../queues/queues.js';
import { RedisTrust } from '../queues/redis-circuit-breaker.js';

@Global()
@Module({
  providers: [
    {
      provide: RedisConnections,
      inject: [ENVIRONMENT],
      useFactory: ({ REDIS_URL }: Environment) => new RedisConnections(parseRedisUrl(REDIS_URL)),
    },
    { provide: RedisTrust, inject: [LOGGER], useFactory: (logger: Logger) => new RedisTrust(logger) },
  ],
  exports: [RedisConnections, RedisTrust],
})
class RedisModule {}

/** Token of the queues of deliveries, by lane. */
export const QUEUES = Symbol('queues');

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
      provide: QUEUES,
      inject: [RedisTrust, ...LANES.map((lane) => getQueueToken(lane))],
      useFactory: (
        trust: RedisTrust,
        ...[hot, slow]: readonly [hot: Queue<DeliveryJob>, slow: Queue<DeliveryJob>]
      ): Queues => {
        for (const queue of [hot, slow]) trust.follow(queue);
        return { hot, slow };
      },
    },
    {
      provide: Dispatcher,
      inject: [QUEUES, Deliverer, Measures, RedisTrust, LOGGER],
      useFactory: (queues: Queues, deliverer: Deliverer, measures: Measures, trust: RedisTrust, logger: Logger) => {
        const places = new Places();
        const carrier = (lane: Lane): Carrier<DeliveryJob> =>
          new Carrier({
            line: deliveryLine(lane, queues),
            trust,
            places,
            logger,
            rowId: ({ deliveryId }) => deliveryId,
            work: (job) => measures.followDirect(lane, deliverer.deliver(job)),
          });
        return new Dispatcher({ hot: carrier('hot'), slow: carrier('slow') }, places);
      },
    },
    {
      provide: BullWorkers,
      inject: [QUEUES, Deliverer, Measures, LOGGER],
      useFactory: (queues: Queues, deliverer: Deliverer, measures: Measures, logger: Logger) => {
        const places = new Places();
        const numbers = ['deliveryId', 'occurred', 'requeues', 'attempts'] as const;
        return new BullWorkers(
          LANES.map(
            (lane) =>
              new BullWorker({
                line: deliveryLine(lane, queues),
                places,
                numbers,
                logger,
                work: (job) => measures.follow(lane, deliverer.deliver(job)),
              }),
          ),
        );
      },
    },
    {
      provide: Feeder,
      inject: [Database, Dispatcher],
      useFactory: (database: Database, dispatcher: Dispatcher) => new Feeder(database, dispatcher),
    },
  ],
  exports: [BullModule, BullWorkers, Dispatcher, Feeder, QUEUES],
})
export class FeedingModule {}
