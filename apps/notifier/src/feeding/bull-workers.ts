import { type Queue } from 'bull';
import { describeError, type Logger } from '../logging/logger.js';
import { type Deliver } from './dispatcher.js';
import { type Lane } from './due-deliveries.js';
import { CONCURRENCY, type DeliveryJob, LANES } from './queues.js';

const ERRORS_LOGGED_EVERY_MS = 10_000;

/** Takes jobs out of Bull. What a job does is decided by its row; a failure leaves the row to the sweeper. */
export class BullWorkers {
  private lastErrorAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly queues: Readonly<Record<Lane, Queue<DeliveryJob>>>,
    private readonly deliver: Deliver,
    private readonly logger: Logger,
  ) {
    for (const lane of LANES) queues[lane].on('error', (error) => this.reportError(error));
  }

  /** Begins as soon as Redis answers, which may be much later: nothing waits for it. */
  start(): void {
    for (const lane of LANES) {
      const queue = this.queues[lane];
      queue
        .isReady()
        .then(() => queue.process(CONCURRENCY[lane], (job) => this.work(job.data)))
        .catch((error: unknown) => this.logger.error({ lane, ...describeError(error) }, 'a worker of Bull has ended'));
    }
  }

  /** Takes no new jobs, and resolves when those at work are done. */
  async close(): Promise<void> {
    await Promise.all(LANES.map((lane) => this.queues[lane].close()));
  }

  private async work(job: DeliveryJob): Promise<void> {
    try {
      await this.deliver(job);
    } catch (error) {
      this.logger.error({ deliveryId: job.deliveryId, ...describeError(error) }, 'a delivery could not be worked on');
    }
  }

  /** While Redis is away each of the connections complains with every try. */
  private reportError(error: Error): void {
    const now = performance.now();
    if (now - this.lastErrorAt < ERRORS_LOGGED_EVERY_MS) return;
    this.lastErrorAt = now;
    this.logger.warn(describeError(error), 'Redis');
  }
}
