import { type Carrier } from '../queues/job-dispatcher.js';
import { type Lane, type QueuedDelivery, type Room } from './store/due-deliveries.js';
import { type Places } from '../queues/concurrency-slots.js';
import { type DeliveryJob } from '../queues/queues.js';

/** Hands queued deliveries to the carriers of their lanes. */
export class Dispatcher {
  constructor(
    private readonly carriers: Readonly<Record<Lane, Carrier<DeliveryJob>>>,
    private readonly places: Places,
  ) {}

  /** How many more deliveries each lane can take now. */
  async room(): Promise<Room> {
    const [hot, slow] = await Promise.all([this.carriers.hot.room(), this.carriers.slow.room()]);
    return { hot, slow };
  }

  async dispatch(deliveries: readonly QueuedDelivery[]): Promise<void> {
    await Promise.all(deliveries.map((delivery) => this.carriers[delivery.lane].carry(toJob(delivery))));
  }

  /** Whether the job of a delivery that has been queued for `queuedMs` will never run. */
  isLost(delivery: QueuedDelivery, queuedMs: number): Promise<boolean> {
    return this.carriers[delivery.lane].isLost(toJob(delivery), queuedMs);
  }

  /** Resolves when everything sent without Bull has come to its end. */
  drain(): Promise<void> {
    return this.places.drain();
  }
}

const toJob = ({ id, occurred_dt: occurred, attempts, requeues }: QueuedDelivery): DeliveryJob => ({
  deliveryId: id,
  occurred: occurred.getTime(),
  attempts,
  requeues,
});
