import { type Logger, rarely } from '@ats/logging';
import { failureLevel } from '../config/logger.js';
import { type ConcurrencySlots, Progress } from './concurrency-slots.js';
import { type Job, type QueueHandle } from './queues.js';
import { type RedisCircuitBreaker } from './redis-circuit-breaker.js';

export interface JobDispatcherOptions<AnyJob extends Job> {
  readonly handle: QueueHandle<AnyJob>;
  readonly breaker: RedisCircuitBreaker;
  /** Concurrency slots for jobs that run in this process without Bull. */
  readonly slots: ConcurrencySlots;
  /** Runs one job in this process, without Bull. */
  readonly work: (job: AnyJob, progress: Progress) => Promise<void>;
  /** Returns the id of the row that the job is for. */
  readonly rowId: (job: AnyJob) => number;
  readonly logger: Logger;
}

/**
 * Greatest number of waiting jobs in Bull for each slot. With two jobs, a worker whose slot becomes free finds its next
 * job before the next poll. All other due rows stay in PostgreSQL.
 */
const JOBS_PER_SLOT = 2;
/**
 * Number of waiting jobs for each slot above which the queue counts as clogged. No poller adds so many jobs. Redis has
 * restored them after a failure, and all of them are out of date.
 */
const CLOGGED_FROM = 20 * JOBS_PER_SLOT;
/** Number of requeues after which a row is sent without Bull. */
const REQUEUES_UNTIL_DIRECT = 2;
/** An active job claims its row at once. When it has not done so after this time, its worker has died. */
const ACTIVE_WITHOUT_CLAIM_MS = 5_000;

/**
 * Adds jobs to one queue of Bull, which distributes them to all notifiers. A job that Bull cannot take runs in this
 * process, so that an unavailable Redis neither loses nor delays messages.
 */
export class JobDispatcher<AnyJob extends Job> {
  /** Number of slots that are used by jobs without Bull. */
  private direct = 0;
  private isClogged = false;
  private readonly reportRefusal: (error: unknown) => void;

  constructor(private readonly options: JobDispatcherOptions<AnyJob>) {
    this.reportRefusal = rarely((error) =>
      options.logger.warn({ err: error }, 'Bull refused a job: the notifier sends the message without Bull'),
    );
  }

  /** Returns how many more jobs can be dispatched now. */
  async capacity(): Promise<number> {
    const { handle, breaker } = this.options;
    const directCapacity = Math.max(0, handle.concurrency - this.direct);
    if (!breaker.isUsable()) return directCapacity;
    try {
      const waiting = await handle.queue.getWaitingCount();
      this.setClogged(waiting > CLOGGED_FROM * handle.concurrency);
      return this.isClogged ? directCapacity : Math.max(0, JOBS_PER_SLOT * handle.concurrency - waiting - this.direct);
    } catch {
      breaker.recordFailure();
      return directCapacity;
    }
  }

  /** Resolves when Bull has stored the job, or when the job has started in this process. */
  async dispatch(job: AnyJob): Promise<void> {
    const { handle, breaker } = this.options;
    if (job.requeues < REQUEUES_UNTIL_DIRECT && !this.isClogged && breaker.isUsable()) {
      try {
        await handle.queue.add(job, { jobId: this.jobId(job) });
        return;
      } catch (error) {
        breaker.recordFailure();
        this.reportRefusal(error);
      }
    }
    void this.workDirectly(job);
  }

  /** Returns true when a job that was queued `queuedMs` ago will never run. */
  async isLost(job: AnyJob, queuedMs: number): Promise<boolean> {
    const { handle, breaker } = this.options;
    if (!breaker.isUsable()) return true;
    try {
      const found = await handle.queue.getJob(this.jobId(job));
      if (!found) return true;
      return queuedMs > ACTIVE_WITHOUT_CLAIM_MS && (await found.isActive());
    } catch {
      breaker.recordFailure();
      return true;
    }
  }

  private setClogged(isClogged: boolean): void {
    if (isClogged === this.isClogged) return;
    this.isClogged = isClogged;
    const { handle, logger } = this.options;
    logger.warn(
      { lane: handle.name },
      isClogged
        ? 'a queue of Bull is full of outdated jobs: the notifier sends without Bull'
        : 'a queue of Bull has its normal length again: the notifier sends through Bull',
    );
  }

  private async workDirectly(job: AnyJob): Promise<void> {
    const { handle, slots, work, logger } = this.options;
    const progress = new Progress();
    const running = work(job, progress).catch((error: unknown) => {
      logger[failureLevel(error, 'error')]({ lane: handle.name, job: this.jobId(job), err: error }, 'a job failed');
    });
    this.direct += 1;
    await slots.hold(running, progress);
    this.direct -= 1;
  }

  /**
   * Returns the id of a job in Bull. It differs for each attempt and each requeue, because Bull ignores a new job with
   * the id of a job that it still has.
   */
  private jobId(job: AnyJob): string {
    return `${this.options.rowId(job)}-${job.attempts}-${job.requeues}`;
  }
}
