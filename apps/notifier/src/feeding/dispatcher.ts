import { describeError, type Logger } from '../logging/logger.js';
import { type Lane, type QueuedDelivery, type Room } from './due-deliveries.js';
import { Places } from './places.js';
import { CONCURRENCY, type DeliveryJob, LANES } from './queues.js';
import { type Queues, type RedisTrust } from './redis-trust.js';

/** Sends one delivery. Never rejects for a fault of the destination. */
export type Deliver = (job: DeliveryJob, lane: Lane) => Promise<void>;

export interface DispatcherOptions {
  readonly queues: Queues;
  readonly trust: RedisTrust;
  readonly deliver: Deliver;
  readonly logger: Logger;
}

/** Jobs in Bull for each place, so that no worker waits for the next feeding; what is beyond stays in the database. */
const JOBS_PER_PLACE = 2;
/** A queue this long holds jobs that nobody fed: what a Redis brings back after a fault, each to be taken out and found out of date. */
const CLOGGED_FROM = 20 * JOBS_PER_PLACE;
const REFUSALS_LOGGED_EVERY_MS = 10_000;
/** A delivery whose job was lost this often no longer relies on Bull. */
const REQUEUES_UNTIL_DIRECT = 2;
/** A job taken from the queue claims its row at once; one that has not by then was taken by a process that died. */
const ACTIVE_WITHOUT_CLAIM_MS = 5_000;

/**
 * Hands queued deliveries to Bull, which spreads them over all notifiers. Whenever Bull cannot take one it is sent from
 * here: losing Redis costs neither messages nor time.
 */
export class Dispatcher {
  private readonly places = new Places();
  /** Places taken by what is sent from here. */
  private readonly direct: Record<Lane, number> = { hot: 0, slow: 0 };
  private readonly isClogged: Record<Lane, boolean> = { hot: false, slow: false };
  private wasUsable = true;
  private lastRefusalAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly options: DispatcherOptions) {}

  /** How many more deliveries each lane can take now. */
  async room(): Promise<Room> {
    const [hot, slow] = await Promise.all(LANES.map((lane) => this.roomOf(lane)));
    return { hot: hot ?? 0, slow: slow ?? 0 };
  }

  async dispatch(deliveries: readonly QueuedDelivery[]): Promise<void> {
    await Promise.all(deliveries.map((delivery) => this.dispatchOne(delivery)));
  }

  /** Whether the job of a delivery that has been queued for `queuedMs` will never run. */
  async isLost(delivery: QueuedDelivery, queuedMs: number): Promise<boolean> {
    const queue = this.options.queues[delivery.lane];
    if (!this.isUsable()) return true;
    try {
      const job = await queue.getJob(jobId(delivery));
      if (!job) return true;
      return queuedMs > ACTIVE_WITHOUT_CLAIM_MS && (await job.isActive());
    } catch {
      this.options.trust.noteFailure();
      return true;
    }
  }

  /** Resolves when everything sent from here has come to its end. */
  async drain(): Promise<void> {
    await this.places.drain();
  }

  private isUsable(): boolean {
    const isUsable = this.options.trust.isUsable();
    if (isUsable !== this.wasUsable) {
      this.wasUsable = isUsable;
      this.options.logger.warn(isUsable ? 'Redis is back: sending through Bull' : 'Redis is away or does not answer: sending without Bull');
    }
    return isUsable;
  }

  private async roomOf(lane: Lane): Promise<number> {
    const directRoom = Math.max(0, CONCURRENCY[lane] - this.direct[lane]);
    if (!this.isUsable()) return directRoom;
    try {
      const waiting = await this.options.queues[lane].getWaitingCount();
      this.noteClogged(lane, waiting > CLOGGED_FROM * CONCURRENCY[lane]);
      return this.isClogged[lane] ? directRoom : Math.max(0, JOBS_PER_PLACE * CONCURRENCY[lane] - waiting);
    } catch {
      this.options.trust.noteFailure();
      return directRoom;
    }
  }

  private noteClogged(lane: Lane, isClogged: boolean): void {
    if (isClogged === this.isClogged[lane]) return;
    this.isClogged[lane] = isClogged;
    this.options.logger.warn({ lane }, isClogged ? 'the queue is full of jobs that nobody fed: sending without it' : 'the queue is as it should be again');
  }

  private async dispatchOne(delivery: QueuedDelivery): Promise<void> {
    if (delivery.requeues < REQUEUES_UNTIL_DIRECT && !this.isClogged[delivery.lane] && this.isUsable()) {
      try {
        await this.options.queues[delivery.lane].add(toJob(delivery), { jobId: jobId(delivery) });
        return;
      } catch (error) {
        this.options.trust.noteFailure();
        this.reportRefusal(error);
      }
    }
    void this.deliverDirectly(delivery);
  }

  /** Said for the first of many. */
  private reportRefusal(error: unknown): void {
    const now = performance.now();
    if (now - this.lastRefusalAt < REFUSALS_LOGGED_EVERY_MS) return;
    this.lastRefusalAt = now;
    this.options.logger.warn(describeError(error), 'Bull did not take a job: sending without it');
  }

  private async deliverDirectly(delivery: QueuedDelivery): Promise<void> {
    const { lane } = delivery;
    const one = this.options.deliver(toJob(delivery), lane).catch((error: unknown) => {
      this.options.logger.error({ deliveryId: delivery.id, ...describeError(error) }, 'a delivery could not be worked on');
    });
    this.direct[lane] += 1;
    await this.places.hold(one);
    this.direct[lane] -= 1;
  }
}

/** A new text for each attempt and for each job that was lost: Bull ignores an id that it still knows. */
const jobId = ({ id, attempts, requeues }: QueuedDelivery): string => `${id}-${attempts}-${requeues}`;

const toJob = ({ id, occurred_dt: occurred, attempts, requeues }: QueuedDelivery): DeliveryJob => ({ deliveryId: id, occurred: occurred.getTime(), attempts, requeues });
