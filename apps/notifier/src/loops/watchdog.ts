import { type Logger } from '@ats/logging';
import { type QueueHandle } from '../queues/queues.js';
import { type Amount } from './poll-loop.js';

export interface WatchdogOptions {
  readonly logger: Logger;
  /** A monotonic clock in milliseconds. */
  readonly now: () => number;
  /** Ends the process. The operator's process manager must then start a new one. */
  readonly exit: () => void;
}

/**
 * Time in ms without a new job after which the watchdog ends the process, if jobs wait and concurrency slots are free
 * all the time.
 */
const IDLE_LIMIT_MS = 60_000;
/**
 * Duration in ms of a round of a loop after which the watchdog ends the process. PostgreSQL cancels a statement after
 * 30 s, but a server that has disappeared cancels nothing.
 */
const ROUND_LIMIT_MS = 300_000;

/**
 * Ends a process that no longer works although it reports no failure. There are two known causes: Bull does not resume
 * after a lost connection, or PostgreSQL never answers. In neither case can the sweeper or sending without Bull help.
 */
export class Watchdog {
  private readonly queues: QueueWatch[] = [];
  /** The start times of the running rounds, by the name of the loop. */
  private readonly rounds = new Map<string, number>();
  private stop: () => Promise<void> = () => Promise.resolve();
  private isEnding = false;

  constructor(private readonly options: WatchdogOptions) {}

  watch(handle: QueueHandle): void {
    this.queues.push(new QueueWatch(handle));
  }

  /**
   * Sets the function that runs before the watchdog ends the process.
   * @param stop  finishes the running work
   */
  onStuck(stop: () => Promise<void>): void {
    this.stop = stop;
  }

  /** Runs one round of a loop and remembers its start time. */
  async follow<T>(name: string, round: () => Promise<T>): Promise<T> {
    this.rounds.set(name, this.options.now());
    try {
      return await round();
    } finally {
      this.rounds.delete(name);
    }
  }

  /** Checks all rounds and queues. Call it every few seconds. */
  async look(): Promise<Amount> {
    const now = this.options.now();
    for (const [name, startedAt] of this.rounds)
      if (now - startedAt >= ROUND_LIMIT_MS) this.end(`a round of the loop ${name} does not end`);
    for (const queue of this.queues)
      if ((await queue.idleMs(now)) >= IDLE_LIMIT_MS)
        this.end(`no worker takes a job of the queue ${queue.handle.name}`);
    return 'none';
  }

  private end(reason: string): void {
    if (this.isEnding) return;
    this.isEnding = true;
    this.options.logger.fatal({ reason }, 'this process is stuck and ends; the platform must start it again');
    // `stop` is not awaited: it waits for the loop that has called this method, so both would wait for each other.
    void this.stop().finally(this.options.exit);
  }
}

/** Measures the time for which this process has taken no job of one queue. */
class QueueWatch {
  private running = 0;
  private hasTaken = false;
  private idleSince: number | undefined;

  constructor(readonly handle: QueueHandle) {
    handle.queue.on('active', (_, work) => void this.follow(work as unknown as Promise<unknown>));
  }

  /**
   * Returns the time in milliseconds for which jobs have waited and slots have been free, but no job was taken. Returns
   * 0 when a job was taken since the last check.
   */
  async idleMs(now: number): Promise<number> {
    const isIdle = (await this.waiting()) > 0 && this.running < this.handle.concurrency && !this.hasTaken;
    this.hasTaken = false;
    this.idleSince = isIdle ? (this.idleSince ?? now) : undefined;
    return this.idleSince === undefined ? 0 : now - this.idleSince;
  }

  /** Counts running jobs by their promises. Bull emits no event for a job whose end it could not store. */
  private async follow(work: Promise<unknown>): Promise<void> {
    this.running++;
    this.hasTaken = true;
    await work.catch(() => undefined);
    this.running--;
  }

  /** Returns the number of waiting jobs. Returns 0 while Redis is unavailable, because jobs then run without Bull. */
  private async waiting(): Promise<number> {
    const { queue } = this.handle;
    if (queue.client.status !== 'ready') return 0;
    return queue.getWaitingCount().catch(() => 0);
  }
}
