import { type Logger, rarely } from '@ats/logging';
import { faultLevel } from '../config/fault-level.js';
import { type Places } from './concurrency-slots.js';
import { type Job, type Line } from './queues.js';
import { type RedisTrust } from './redis-circuit-breaker.js';

export interface CarrierOptions<AnyJob extends Job> {
  readonly line: Line<AnyJob>;
  readonly trust: RedisTrust;
  /** Of what is worked on from here. */
  readonly places: Places;
  /** Does what the job asks for, without Bull. */
  readonly work: (job: AnyJob) => Promise<void>;
  /** Names the row that the job is for. */
  readonly rowId: (job: AnyJob) => number;
  readonly logger: Logger;
}

/** Jobs in Bull for each place, so that no worker waits for the next feeding; what is beyond stays in the database. */
const JOBS_PER_PLACE = 2;
/** A queue this long holds jobs that nobody fed: what a Redis brings back after a fault, each to be taken out and found out of date. */
const CLOGGED_FROM = 20 * JOBS_PER_PLACE;
/** A row whose job was lost this often no longer relies on Bull. */
const REQUEUES_UNTIL_DIRECT = 2;
/** A job taken from the queue claims its row at once; one that has not by then was taken by a process that died. */
const ACTIVE_WITHOUT_CLAIM_MS = 5_000;

/**
 * Hands jobs to one queue of Bull, which spreads them over all notifiers. Whenever Bull cannot take one it is worked on from
 * here: losing Redis costs neither messages nor time.
 */
export class Carrier<AnyJob extends Job> {
  /** Places taken by what is worked on from here. */
  private direct = 0;
  private isClogged = false;
  /** Said for the first of many. */
  private readonly reportRefusal: (error: unknown) => void;

  constructor(private readonly options: CarrierOptions<AnyJob>) {
    this.reportRefusal = rarely((error) =>
      options.logger.warn({ err: error }, 'Bull did not take a job: sending without it'),
    );
  }

  /** How many more jobs can be taken now. */
  async room(): Promise<number> {
    const { line, trust } = this.options;
    const directRoom = Math.max(0, line.concurrency - this.direct);
    if (!trust.isUsable()) return directRoom;
    try {
      const waiting = await line.queue.getWaitingCount();
      this.noteClogged(waiting > CLOGGED_FROM * line.concurrency);
      return this.isClogged ? directRoom : Math.max(0, JOBS_PER_PLACE * line.concurrency - waiting - this.direct);
    } catch {
      trust.noteFailure();
      return directRoom;
    }
  }

  /** Resolves when Bull has the job, or when it was begun from here. */
  async carry(job: AnyJob): Promise<void> {
    const { line, trust } = this.options;
    if (job.requeues < REQUEUES_UNTIL_DIRECT && !this.isClogged && trust.isUsable()) {
      try {
        await line.queue.add(job, { jobId: this.jobId(job) });
        return;
      } catch (error) {
        trust.noteFailure();
        this.reportRefusal(error);
      }
    }
    void this.workDirectly(job);
  }

  /** Whether a job that has been queued for `queuedMs` will never run. */
  async isLost(job: AnyJob, queuedMs: number): Promise<boolean> {
    const { line, trust } = this.options;
    if (!trust.isUsable()) return true;
    try {
      const found = await line.queue.getJob(this.jobId(job));
      if (!found) return true;
      return queuedMs > ACTIVE_WITHOUT_CLAIM_MS && (await found.isActive());
    } catch {
      trust.noteFailure();
      return true;
    }
  }

  private noteClogged(isClogged: boolean): void {
    if (isClogged === this.isClogged) return;
    this.isClogged = isClogged;
    const { line, logger } = this.options;
    logger.warn(
      { lane: line.name },
      isClogged
        ? 'the queue is full of jobs that nobody fed: sending without it'
        : 'the queue is as it should be again',
    );
  }

  private async workDirectly(job: AnyJob): Promise<void> {
    const { line, places, work, logger } = this.options;
    const one = work(job).catch((error: unknown) => {
      logger[faultLevel(error, 'error')](
        { lane: line.name, job: this.jobId(job), err: error },
        'a message could not be worked on',
      );
    });
    this.direct += 1;
    await places.hold(one);
    this.direct -= 1;
  }

  /** A new text for each attempt and for each job that was lost: Bull ignores an id that it still knows. */
  private jobId(job: AnyJob): string {
    return `${this.options.rowId(job)}-${job.attempts}-${job.requeues}`;
  }
}
