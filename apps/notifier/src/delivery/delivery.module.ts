import {
  AUTHENTICATION_PURPOSE,
  CLIENT_CERTIFICATE_PURPOSE,
  CUSTOM_HEADERS_PURPOSE,
  destinationGuard,
  SIGNING_KEY_PURPOSE,
} from '@ats/domain';
import { Database } from '@ats/postgres';
import { type Logger } from '@ats/logging';
import { Inject, Module } from '@nestjs/common';
import { type Environment } from '../config/env.js';
import { ENVIRONMENT } from '@ats/nest-app';
import { LOGGER } from '../config/logger.js';
import { Metrics } from '../counters/metrics.js';
import { LoopRunner, POLL_DUE } from '../loops/loop-runner.js';
import { DueSignal } from '../loops/signals.js';
import { WorkerHeartbeat } from '../loops/worker-heartbeat.js';
import { type Worker, Workers } from '../loops/workers.js';
import { BullWorker } from '../queues/bull-worker.js';
import { ConcurrencySlots, type Progress } from '../queues/concurrency-slots.js';
import { JobDispatcher } from '../queues/job-dispatcher.js';
import { type DeliveryJob, type Lane, LANES } from '../queues/queues.js';
import { RedisCircuitBreaker } from '../queues/redis-circuit-breaker.js';
import { ChainSecretBox } from './chain-secret-box.js';
import { Deliverer } from './deliverer.js';
import { DeliveryQueuesModule, LANE_HANDLES, type LaneHandles } from './delivery-queues.module.js';
import { TokenCache } from './authentication/token-cache.js';
import { requestToken, TokenClient } from './authentication/token-request.js';
import { DuePoller } from './due-poller.js';
import { DestinationClient } from './http/destination-client.js';
import { LaneDispatcher } from './lane-dispatcher.js';
import { EndpointStats } from './store/endpoint-stats.js';
import { LowWaterMarks } from '../loops/low-water-marks.js';
import { SuccessCounters } from './store/success-counters.js';

/** Injection token of the delivery worker, which starts and stops with the process. */
const DELIVERY_WORKER = Symbol('delivery worker');

/** Time between two writes of the success counts of subscriptions and endpoints. */
const COUNT_MS = 1_000;

@Module({
  imports: [DeliveryQueuesModule],
  providers: [
    {
      provide: DestinationClient,
      inject: [ENVIRONMENT],
      useFactory: (environment: Environment) => new DestinationClient(destinationGuard(environment)),
    },
    {
      provide: TokenClient,
      inject: [ENVIRONMENT],
      useFactory: (environment: Environment) => new TokenClient(destinationGuard(environment)),
    },
    {
      provide: SuccessCounters,
      inject: [Database],
      useFactory: (database: Database) => new SuccessCounters(database),
    },
    {
      provide: EndpointStats,
      inject: [Database],
      useFactory: (database: Database) => new EndpointStats(database),
    },
    {
      provide: Deliverer,
      inject: [
        Database,
        LowWaterMarks,
        DestinationClient,
        TokenClient,
        ENVIRONMENT,
        WorkerHeartbeat,
        LOGGER,
        DueSignal,
        Metrics,
        SuccessCounters,
        EndpointStats,
      ],
      useFactory: (
        database: Database,
        lowWaterMarks: LowWaterMarks,
        client: DestinationClient,
        tokenClient: TokenClient,
        environment: Environment,
        heartbeat: WorkerHeartbeat,
        logger: Logger,
        due: DueSignal,
        metrics: Metrics,
        counters: SuccessCounters,
        stats: EndpointStats,
      ) =>
        new Deliverer({
          database,
          lowWaterMarks,
          client,
          logger,
          metrics,
          claimant: heartbeat,
          counters,
          stats,
          secretBox: new ChainSecretBox(environment, SIGNING_KEY_PURPOSE),
          headersBox: new ChainSecretBox(environment, CUSTOM_HEADERS_PURPOSE),
          authenticationBox: new ChainSecretBox(environment, AUTHENTICATION_PURPOSE),
          certificateBox: new ChainSecretBox(environment, CLIENT_CERTIFICATE_PURPOSE),
          tokens: new TokenCache({ request: (oauth) => requestToken(tokenClient, oauth) }),
          baseUrl: environment.PUBLIC_BASE_URL,
          schedule: environment.DELIVERY_SCHEDULE,
          random: Math.random,
          onFinished: due.raise,
        }),
    },
    // One object for claimed deliveries and for jobs, so that it limits the hanging attempts of the whole process.
    { provide: ConcurrencySlots, useFactory: () => new ConcurrencySlots() },
    {
      provide: LaneDispatcher,
      inject: [LANE_HANDLES, Deliverer, Metrics, RedisCircuitBreaker, LOGGER, ConcurrencySlots],
      useFactory: (
        handles: LaneHandles,
        deliverer: Deliverer,
        metrics: Metrics,
        breaker: RedisCircuitBreaker,
        logger: Logger,
        slots: ConcurrencySlots,
      ) => {
        const dispatcher = (lane: Lane): JobDispatcher<DeliveryJob> =>
          new JobDispatcher({
            handle: handles[lane],
            breaker,
            slots,
            logger,
            rowId: ({ deliveryId }) => deliveryId,
            work: (job, progress) => metrics.followDirect(lane, deliverer.deliver(job, progress)),
          });
        return new LaneDispatcher({
          dispatchers: { hot: dispatcher('hot'), slow: dispatcher('slow') },
          slots,
          logger,
          send: (claim, lane, progress) => {
            const sent = deliverer.deliverClaimed(claim, progress);
            return breaker.isUsable() ? metrics.follow(lane, sent) : metrics.followDirect(lane, sent);
          },
        });
      },
    },
    {
      provide: DELIVERY_WORKER,
      inject: [
        LANE_HANDLES,
        Deliverer,
        LaneDispatcher,
        DestinationClient,
        TokenClient,
        Metrics,
        LOGGER,
        SuccessCounters,
        EndpointStats,
        ConcurrencySlots,
      ],
      useFactory: (
        handles: LaneHandles,
        deliverer: Deliverer,
        dispatcher: LaneDispatcher,
        client: DestinationClient,
        tokenClient: TokenClient,
        metrics: Metrics,
        logger: Logger,
        counters: SuccessCounters,
        stats: EndpointStats,
        slots: ConcurrencySlots,
      ): Worker => {
        const numbers = ['deliveryId', 'occurred', 'requeues', 'attempts'] as const;
        const bullWorkers = LANES.map((lane) => {
          const work = (job: DeliveryJob, progress: Progress): Promise<void> =>
            metrics.follow(lane, deliverer.deliver(job, progress));
          return new BullWorker({ handle: handles[lane], slots, numbers, logger, work });
        });
        return {
          start: () => {
            void deliverer.plan();
            for (const worker of bullWorkers) worker.start();
          },
          async drain() {
            deliverer.stop();
            await Promise.all([...bullWorkers.map((worker) => worker.drain()), dispatcher.drain()]);
            await counters
              .write()
              .catch((error: unknown) =>
                logger.warn({ err: error }, 'the counters of delivered messages could not be written'),
              );
            await stats
              .write()
              .catch((error: unknown) =>
                logger.warn({ err: error }, 'the counts of attempts of each endpoint could not be written'),
              );
          },
          close: () => {
            client.close();
            tokenClient.close();
          },
        };
      },
    },
    {
      provide: DuePoller,
      inject: [Database, LowWaterMarks, LaneDispatcher, WorkerHeartbeat],
      useFactory: (
        database: Database,
        lowWaterMarks: LowWaterMarks,
        dispatcher: LaneDispatcher,
        claimant: WorkerHeartbeat,
      ) => new DuePoller({ database, lowWaterMarks, dispatcher, claimant }),
    },
  ],
  exports: [DeliveryQueuesModule, LaneDispatcher],
})
export class DeliveryModule {
  constructor(
    @Inject(DELIVERY_WORKER) deliveryWorker: Worker,
    poller: DuePoller,
    counters: SuccessCounters,
    stats: EndpointStats,
    due: DueSignal,
    workers: Workers,
    loops: LoopRunner,
  ) {
    workers.add(deliveryWorker);
    loops.add({ name: 'due polling', ...POLL_DUE, work: () => poller.poll(), wakeOn: due });
    loops.add({
      name: 'counting successes',
      busyMs: COUNT_MS,
      idleMs: COUNT_MS,
      work: () => counters.write().then(() => 'none'),
    });
    loops.add({
      name: 'counting attempts',
      busyMs: COUNT_MS,
      idleMs: COUNT_MS,
      work: () => stats.write().then(() => 'none'),
    });
  }
}
