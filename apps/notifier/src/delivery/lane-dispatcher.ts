import { type Logger } from '@ats/logging';
import { failureLevel } from '../config/logger.js';
import { type ConcurrencySlots, Progress } from '../queues/concurrency-slots.js';
import { type JobDispatcher } from '../queues/job-dispatcher.js';
import { type DeliveryJob, type Lane, OWN_SLOTS } from '../queues/queues.js';
import { type ClaimedDelivery } from './store/claimed-deliveries.js';
import { type LaneCapacity, type PickedDelivery, type QueuedDelivery } from './store/due-deliveries.js';

export interface LaneDispatcherOptions {
  readonly dispatchers: Readonly<Record<Lane, JobDispatcher<DeliveryJob>>>;
  /** The concurrency slots for work without Bull. */
  readonly slots: ConcurrencySlots;
  /** Sends a delivery that this process has claimed. */
  readonly send: (claim: ClaimedDelivery, lane: Lane, progress: Progress) => Promise<void>;
  readonly logger: Logger;
}

/** Sends claimed deliveries in this process, and hands queued deliveries to the job dispatchers of their lanes. */
export class LaneDispatcher {
  /** Number of slots that claimed deliveries use, by lane. */
  private readonly used: Record<Lane, number> = { hot: 0, slow: 0 };

  constructor(private readonly options: LaneDispatcherOptions) {}

  /** Returns how many more deliveries this process can claim now, by lane. */
  get ownSlots(): LaneCapacity {
    const free = (lane: Lane): number => Math.max(0, OWN_SLOTS[lane] - this.used[lane]);
    return { hot: free('hot'), slow: free('slow') };
  }

  /** Returns how many more deliveries can be queued now, by lane. */
  async capacity(): Promise<LaneCapacity> {
    const { dispatchers } = this.options;
    const [hot, slow] = await Promise.all([dispatchers.hot.capacity(), dispatchers.slow.capacity()]);
    return { hot, slow };
  }

  async dispatch(deliveries: readonly PickedDelivery[]): Promise<void> {
    const { dispatchers } = this.options;
    const queued = deliveries.filter(({ claim, lane }) => {
      if (claim) void this.send(claim, lane);
      return !claim;
    });
    await Promise.all(queued.map((delivery) => dispatchers[delivery.lane].dispatch(toJob(delivery))));
  }

  /** Returns true when the job of a delivery that was queued `queuedMs` ago will never run. */
  isLost(delivery: QueuedDelivery, queuedMs: number): Promise<boolean> {
    return this.options.dispatchers[delivery.lane].isLost(toJob(delivery), queuedMs);
  }

  /** Resolves when all deliveries that are sent without Bull have ended. */
  drain(): Promise<void> {
    return this.options.slots.drain();
  }

  private async send(claim: ClaimedDelivery, lane: Lane): Promise<void> {
    const { slots, send, logger } = this.options;
    const progress = new Progress();
    const running = send(claim, lane, progress).catch((error: unknown) => {
      logger[failureLevel(error, 'error')]({ lane, delivery_id: claim.id, err: error }, 'a delivery failed');
    });
    this.used[lane] += 1;
    await slots.hold(running, progress);
    this.used[lane] -= 1;
  }
}

const toJob = ({ id, occurred_dt: occurred, attempts, requeues }: QueuedDelivery): DeliveryJob => ({
  deliveryId: id,
  occurred: occurred.getTime(),
  attempts,
  requeues,
});
