import { type Queue } from 'bull';
import { describeError, type Logger } from '../logging/logger.js';
import { type Deliver } from './dispatcher.js';
import { type Lane } from './due-deliveries.js';
import { Places } from './places.js';
import { CONCURRENCY, type DeliveryJob, LANES } from './queues.js';

const ERRORS_LOGGED_EVERY_MS = 10_000;

/** Takes jobs out of Bull. What a job does is decided by its row; a failure leaves the row to the sweeper. */
export class BullWorkers {
  private readonly places = new Places();
  private isClosing = false;
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
        .then(() => (this.isClosing ? undefined : queue.process(CONCURRENCY[lane], (job) => this.work(job.data, lane))))
        .catch((error: unknown) => this.logger.error({ lane, ...describeError(error) }, 'a worker of Bull has ended'));
    }
  }

  /** Takes no new jobs, and resolves when those at work are done. */
  async close(): Promise<void> {
    this.isClosing = true;
    await Promise.all(LANES.map((lane) => closeQueue(this.queues[lane])));
    await this.places.drain();
  }

  private async work(job: DeliveryJob, lane: Lane): Promise<void> {
    if (!isDeliveryJob(job)) return;
    const one = this.deliver(job, lane).catch((error: unknown) => {
      this.logger.error({ deliveryId: job.deliveryId, ...describeError(error) }, 'a delivery could not be worked on');
    });
    await this.places.hold(one);
  }

  /** While Redis is away each of the connections complains with every try. */
  private reportError(error: Error): void {
    const now = performance.now();
    if (now - this.lastErrorAt < ERRORS_LOGGED_EVERY_MS) return;
    this.lastErrorAt = now;
    this.logger.warn(describeError(error), 'Redis');
  }
}

/** A Redis that lost a part of its data gives jobs without theirs: a claim made of one would fail with all others of its batch. */
const isDeliveryJob = ({ deliveryId, occurred, requeues, attempts }: Partial<DeliveryJob>): boolean =>
  [deliveryId, occurred, requeues, attempts].every(Number.isSafeInteger);

/** A Redis that is away gives no jobs, and would be waited for. */
async function closeQueue(queue: Queue): Promise<void> {
  if (queue.client.status !== 'ready') return;
  // Bull means to wait for this itself, and does not: a timer that it starts after closing would never end.
  await (queue as Queue & { readonly _initializingProcess?: Promise<unknown> })._initializingProcess?.catch(() => undefined);
  await queue.close();
}
