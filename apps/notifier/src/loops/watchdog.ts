import { type Line } from '../queues/queues.js';
import { type Logger } from '@ats/logging';
import { type Amount } from './poll-loop.js';

export interface WatchdogOptions {
  readonly lines: readonly Line[];
  readonly logger: Logger;
  /** Milliseconds, from any beginning; never goes back. */
  readonly now: () => number;
  /** Ends the process, so that whoever runs it starts another. */
  readonly exit: () => void;
}

/** Jobs wait, places are free, and none is taken for this long. Source: NOTIFIER.md 4. */
const JOBS_LIMIT_MS = 60_000;
/** A statement is cancelled by PostgreSQL after 30 s; a server that vanished without a word cancels nothing. */
const STEP_LIMIT_MS = 300_000;

/**
 * Notices that this process takes no part any more although nothing has failed: that Bull does not resume after a lost
 * connection, or that PostgreSQL never answers. Both are beyond what sweeping and sending without Bull can mend from inside.
 */
export class Watchdog {
  private readonly watches: readonly LineWatch[];
  /** When the steps that run began, by the name of their loop. */
  private readonly steps = new Map<string, number>();
  private stop: () => Promise<void> = () => Promise.resolve();
  private isEnding = false;

  constructor(private readonly options: WatchdogOptions) {
    this.watches = options.lines.map((line) => new LineWatch(line));
  }

  /** @param stop finishes what can be finished, before the process ends */
  onStuck(stop: () => Promise<void>): void {
    this.stop = stop;
  }

  /** Remembers that a step runs for as long as it does. */
  async follow<T>(name: string, step: () => Promise<T>): Promise<T> {
    this.steps.set(name, this.options.now());
    try {
      return await step();
    } finally {
      this.steps.delete(name);
    }
  }

  /** To be called every few seconds. */
  async look(): Promise<Amount> {
    const now = this.options.now();
    for (const [name, began] of this.steps)
      if (now - began >= STEP_LIMIT_MS) this.end(`a step of ${name} does not come to its end`);
    for (const watch of this.watches)
      if ((await watch.idleMs(now)) >= JOBS_LIMIT_MS) this.end(`no job of ${watch.line.name} is taken`);
    return 'none';
  }

  private end(reason: string): void {
    if (this.isEnding) return;
    this.isEnding = true;
    this.options.logger.fatal({ reason }, 'this process is stuck: it ends, to be started again');
    // Not awaited: stopping waits for the loop that called this.
    void this.stop().finally(this.options.exit);
  }
}

/** Whether this process takes the jobs of one queue. */
class LineWatch {
  private running = 0;
  private hasTaken = false;
  private idleSince: number | undefined;

  constructor(readonly line: Line) {
    line.queue.on('active', (_, work) => void this.follow(work as unknown as Promise<unknown>));
  }

  /** For how long jobs have waited although there was a free place, as far as was looked. */
  async idleMs(now: number): Promise<number> {
    const isIdle = (await this.waiting()) > 0 && this.running < this.line.concurrency && !this.hasTaken;
    this.hasTaken = false;
    this.idleSince = isIdle ? (this.idleSince ?? now) : undefined;
    return this.idleSince === undefined ? 0 : now - this.idleSince;
  }

  /** By the work itself: Bull says nothing of a job whose end it could not store. */
  private async follow(work: Promise<unknown>): Promise<void> {
    this.running++;
    this.hasTaken = true;
    await work.catch(() => undefined);
    this.running--;
  }

  /** None as long as Redis is away: nobody waits for Bull then. */
  private async waiting(): Promise<number> {
    const { queue } = this.line;
    if (queue.client.status !== 'ready') return 0;
    return queue.getWaitingCount().catch(() => 0);
  }
}
