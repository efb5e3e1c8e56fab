import { RedisConnections } from '@ats/redis-connection';
import { BullModule, getQueueToken } from '@nestjs/bull';
import { Module } from '@nestjs/common';
import { type Queue } from 'bull';
import { Watchdog } from '../loops/watchdog.js';
import { Workers } from '../loops/workers.js';
import {
  type DeliveryJob,
  laneHandle,
  LANES,
  type LaneQueues,
  type QueueHandle,
  queueOptions,
} from '../queues/queues.js';
import { RedisCircuitBreaker } from '../queues/redis-circuit-breaker.js';

/** Injection token of the queue handles of deliveries, by lane. */
export const LANE_HANDLES = Symbol('lane handles');

export type LaneHandles = Readonly<Record<keyof LaneQueues, QueueHandle<DeliveryJob>>>;

/** The queues of Bull for deliveries. */
@Module({
  imports: LANES.map((lane) =>
    BullModule.registerQueueAsync({
      name: lane,
      inject: [RedisConnections],
      useFactory: (connections: RedisConnections) => queueOptions(lane, connections),
    }),
  ),
  providers: [
    {
      provide: LANE_HANDLES,
      inject: [RedisCircuitBreaker, Watchdog, ...LANES.map((lane) => getQueueToken(lane))],
      useFactory: (
        breaker: RedisCircuitBreaker,
        watchdog: Watchdog,
        ...[hot, slow]: readonly [hot: Queue<DeliveryJob>, slow: Queue<DeliveryJob>]
      ): LaneHandles => {
        for (const queue of [hot, slow]) breaker.watch(queue);
        const handles = { hot: laneHandle('hot', { hot, slow }), slow: laneHandle('slow', { hot, slow }) };
        for (const lane of LANES) watchdog.watch(handles[lane]);
        return handles;
      },
    },
  ],
  exports: [BullModule, LANE_HANDLES],
})
export class DeliveryQueuesModule {
  constructor(workers: Workers, redis: RedisConnections) {
    workers.add({ close: () => redis.close() });
  }
}
