import { type JobId, type Queue } from 'bull';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Logger } from '@ats/logging';
import { faultLevel } from '../config/fault-level.js';
import { type Places } from './concurrency-slots.js';
import { type Job, type Line } from './queues.js';

/** When the jobs are done: so long Bull may take to say so in Redis. One that it does not get rid of is given out again and finds nothing to do. */
const TIDIED_WITHIN_MS = 1_000;

export interface BullWorkerOptions<AnyJob extends Job> {
  readonly line: Line<AnyJob>;
  readonly places: Places;
  /** All numbers that a job carries: a Redis that lost a part of its data gives jobs without theirs. */
  readonly numbers: readonly (keyof AnyJob)[];
  readonly work: (job: AnyJob) => Promise<void>;
  readonly logger: Logger;
}

/** Takes jobs out of one queue of Bull. What a job does is decided by its row; a failure leaves the row to the sweeper. */
export class BullWorker<AnyJob extends Job> {
  private isClosing = false;

  constructor(private readonly options: BullWorkerOptions<AnyJob>) {}

  /** Begins as soon as Redis answers, which may be much later: nothing waits for it. */
  start(): void {
    const { line, logger } = this.options;
    line.queue
      .isReady()
      .then(() =>
        this.isClosing ? undefined : line.queue.process(line.concurrency, ({ id, data }) => this.work(id, data)),
      )
      .catch((error: unknown) => logger.error({ lane: line.name, err: error }, 'a worker of Bull has ended'));
  }

  /** Takes no new jobs, and resolves when those at work are done, whether or not Redis answers. */
  async close(): Promise<void> {
    this.isClosing = true;
    const { line, places } = this.options;
    const closing = closeQueue(line.queue);
    await places.drain();
    const closed = Promise.race([closing, sleep(TIDIED_WITHIN_MS)]);
    // Nest closes it once more, and would wait for as long as Redis hangs.
    line.queue.close = () => closed;
    await closed;
    await places.drain(); // a job that was on its way while the others ended
  }

  private async work(id: JobId, job: AnyJob): Promise<void> {
    const { line, places, numbers, work, logger } = this.options;
    // A claim made of one without its numbers would fail, and with it all others of its batch.
    if (!numbers.every((name) => Number.isSafeInteger(job[name]))) return;
    const one = work(job).catch((error: unknown) => {
      logger[faultLevel(error, 'error')]({ lane: line.name, job: id, err: error }, 'a message could not be worked on');
    });
    await places.hold(one);
  }
}

/** Those that start and stop together. */
export class BullWorkers {
  constructor(private readonly workers: readonly Pick<BullWorker<Job>, 'start' | 'close'>[]) {}

  start(): void {
    for (const worker of this.workers) worker.start();
  }

  async close(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.close()));
  }
}

async function closeQueue(queue: Queue): Promise<void> {
  // Bull means to wait for this itself, and does not: a timer that it starts after closing would never end.
  await (queue as Queue & { readonly _initializingProcess?: Promise<unknown> })._initializingProcess?.catch(
    () => undefined,
  );
  await queue.close();
}
