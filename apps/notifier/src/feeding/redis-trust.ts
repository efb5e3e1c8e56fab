import { type Queue } from 'bull';
import { type Lane } from './due-deliveries.js';
import { type DeliveryJob, LANES } from './queues.js';

export type Queues = Readonly<Record<Lane, Queue<DeliveryJob>>>;

/** A Redis that keeps connections open and does not answer costs the time limit of a command each time it is asked. */
const DISTRUSTED_FOR_MS = 10_000;

/** Whether Redis is to be relied on at this moment: it is connected, and has done lately what it was asked. */
export class RedisTrust {
  private distrustedUntil = Number.NEGATIVE_INFINITY;

  constructor(private readonly queues: Queues) {}

  isUsable(): boolean {
    return performance.now() >= this.distrustedUntil && LANES.every((lane) => this.queues[lane].client.status === 'ready');
  }

  /** It did not do what it was asked. For a while nothing is asked of it. */
  noteFailure(): void {
    this.distrustedUntil = performance.now() + DISTRUSTED_FOR_MS;
  }
}
