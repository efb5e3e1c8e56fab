import { type ConcurrencySlots } from '../queues/concurrency-slots.js';
import { type JobDispatcher } from '../queues/job-dispatcher.js';
import { type DeliveryJob, type Lane } from '../queues/queues.js';
import { type LaneCapacity, type QueuedDelivery } from './store/due-deliveries.js';

/** Hands queued deliveries to the job dispatchers of their lanes. */
export class LaneDispatcher {
  constructor(
    private readonly dispatchers: Readonly<Record<Lane, JobDispatcher<DeliveryJob>>>,
    private readonly slots: ConcurrencySlots,
  ) {}

  /** Returns how many more deliveries each lane can take now. */
  async capacity(): Promise<LaneCapacity> {
    const [hot, slow] = await Promise.all([this.dispatchers.hot.capacity(), this.dispatchers.slow.capacity()]);
    return { hot, slow };
  }

  async dispatch(deliveries: readonly QueuedDelivery[]): Promise<void> {
    await Promise.all(deliveries.map((delivery) => this.dispatchers[delivery.lane].dispatch(toJob(delivery))));
  }

  /** Returns true when the job of a delivery that was queued `queuedMs` ago will never run. */
  isLost(delivery: QueuedDelivery, queuedMs: number): Promise<boolean> {
    return this.dispatchers[delivery.lane].isLost(toJob(delivery), queuedMs);
  }

  /** Resolves when all jobs that run without Bull have ended. */
  drain(): Promise<void> {
    return this.slots.drain();
  }
}

const toJob = ({ id, occurred_dt: occurred, attempts, requeues }: QueuedDelivery): DeliveryJob => ({
  deliveryId: id,
  occurred: occurred.getTime(),
  attempts,
  requeues,
});
