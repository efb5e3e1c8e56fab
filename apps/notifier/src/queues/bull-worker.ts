import { setTimeout as sleep } from 'node:timers/promises';
import { type Logger } from '@ats/logging';
import { type JobId, type Queue } from 'bull';
import { failureLevel } from '../config/logger.js';
import { type ConcurrencySlots, Progress } from './concurrency-slots.js';
import { type Job, type QueueHandle } from './queues.js';

/**
 * Time for Bull to remove finished jobs from Redis. A job that Bull cannot remove goes to another worker, which finds
 * that the row is already claimed.
 */
const CLEAN_UP_MS = 1_000;

export interface BullWorkerOptions<AnyJob extends Job> {
  readonly handle: QueueHandle<AnyJob>;
  readonly slots: ConcurrencySlots;
  /** The names of the numbers that each job must have. A Redis that has lost data can return jobs without them. */
  readonly numbers: readonly (keyof AnyJob)[];
  readonly work: (job: AnyJob, progress: Progress) => Promise<void>;
  readonly logger: Logger;
}

/** Runs the jobs of one queue of Bull. When a job fails, the sweeper requeues its row. */
export class BullWorker<AnyJob extends Job> {
  private isClosing = false;

  constructor(private readonly options: BullWorkerOptions<AnyJob>) {}

  /** Starts the worker and returns at once. Jobs run as soon as Redis answers. */
  start(): void {
    const { handle, logger } = this.options;
    handle.queue
      .isReady()
      .then(() =>
        this.isClosing ? undefined : handle.queue.process(handle.concurrency, ({ id, data }) => this.work(id, data)),
      )
      .catch((error: unknown) => logger.error({ lane: handle.name, err: error }, 'a worker of Bull stopped'));
  }

  /** Takes no new jobs. Resolves when the running jobs have ended, even if Redis does not answer. */
  async drain(): Promise<void> {
    this.isClosing = true;
    const { handle, slots } = this.options;
    const closing = closeQueue(handle.queue);
    await slots.drain();
    const closed = Promise.race([closing, sleep(CLEAN_UP_MS)]);
    // Nest closes the queue again later. Without this replacement, the second call would wait until Redis answers.
    handle.queue.close = () => closed;
    await closed;
    await slots.drain(); // Another job may have started while the running jobs were ending.
  }

  private async work(id: JobId, job: AnyJob): Promise<void> {
    const { handle, slots, numbers, work, logger } = this.options;
    // A job without valid ids is ignored. Its claim would fail, and with it all other claims of the batch.
    if (!numbers.every((name) => Number.isSafeInteger(job[name]))) return;
    const progress = new Progress();
    const running = work(job, progress).catch((error: unknown) => {
      logger[failureLevel(error, 'error')]({ lane: handle.name, job: id, err: error }, 'a job failed');
    });
    await slots.hold(running, progress);
  }
}

async function closeQueue(queue: Queue): Promise<void> {
  // Waits for the start of Bull, because `close` does not. Otherwise Bull could start a timer after it was closed, and
  // this timer would never end.
  await (queue as Queue & { readonly _initializingProcess?: Promise<unknown> })._initializingProcess?.catch(
    () => undefined,
  );
  await queue.close();
}
