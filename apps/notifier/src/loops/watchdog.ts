import { type Logger } from '@ats/logging';
import { type QueueHandle } from '../queues/queues.js';
import { type Amount } from './poll-loop.js';

export interface WatchdogOptions {
  readonly logger: Logger;
  /** A monotonic clock in milliseconds. */
  readonly now: () => number;
  /** Ends the process. The operator's process manager must start another. */
  readonly exit: () => void;
}

/** The process ends when jobs wait and concurrency slots are free, but the process has taken no job for this long. */
const IDLE_LIMIT_MS = 60_000;
/**
 * The process ends when a round takes this long. PostgreSQL cancels a statement after 30 s, but a server that
 * disappeared cancels nothing.
 */
const ROUND_LIMIT_MS = 300_000;

/**
 * Ends a process that no longer works although nothing has failed. Two causes are known: Bull does not resume after a
 * lost connection, and PostgreSQL never answers. Neither sweeping nor sending without Bull can repair them.
 */
export class Watchdog {
  private readonly queues: QueueWatch[] = [];
  /** Start times of running rounds, by the name of their loop. */
  private readonly rounds = new Map<string, number>();
  private stop: () => Promise<void> = () => Promise.resolve();
  private isEnding = false;

  constructor(private readonly options: WatchdogOptions) {}

  watch(handle: QueueHandle): void {
    this.queues.push(new QueueWatch(handle));
  }

  /** @param stop  finishes running work before the process ends */
  onStuck(stop: () => Promise<void>): void {
    this.stop = stop;
  }

  /** Runs one round of a loop and remembers when it started. */
  async follow<T>(name: string, round: () => Promise<T>): Promise<T> {
    this.rounds.set(name, this.options.now());
    try {
      return await round();
    } finally {
      this.rounds.delete(name);
    }
  }

  /** Checks all rounds and queues. Must be called every few seconds. */
  async look(): Promise<Amount> {
    const now = this.options.now();
    for (const [name, startedAt] of this.rounds)
      if (now - startedAt >= ROUND_LIMIT_MS) this.end(`a round of ${name} does not end`);
    for (const queue of this.queues)
      if ((await queue.idleMs(now)) >= IDLE_LIMIT_MS) this.end(`no job of ${queue.handle.name} is taken`);
    return 'none';
  }

  private end(reason: string): void {
    if (this.isEnding) return;
    this.isEnding = true;
    this.options.logger.fatal({ reason }, 'this process is stuck and ends: it must be started again');
    // The code must not await `stop`: it waits for the loop that called this method, so the two would wait for each
    // other.
    void this.stop().finally(this.options.exit);
  }
}

/** Measures for how long this process has taken no job of one queue. */
class QueueWatch {
  private running = 0;
  private hasTaken = false;
  private idleSince: number | undefined;

  constructor(readonly handle: QueueHandle) {
    handle.queue.on('active', (_, work) => void this.follow(work as unknown as Promise<unknown>));
  }

  /**
   * Returns the milliseconds since the first check that found waiting jobs and free slots, but no job taken. Returns 0
   * when a job was taken.
   */
  async idleMs(now: number): Promise<number> {
    const isIdle = (await this.waiting()) > 0 && this.running < this.handle.concurrency && !this.hasTaken;
    this.hasTaken = false;
    this.idleSince = isIdle ? (this.idleSince ?? now) : undefined;
    return this.idleSince === undefined ? 0 : now - this.idleSince;
  }

  /** Counts jobs by their promises, because Bull emits no event for a job whose end it could not store. */
  private async follow(work: Promise<unknown>): Promise<void> {
    this.running++;
    this.hasTaken = true;
    await work.catch(() => undefined);
    this.running--;
  }

  /** Returns the number of waiting jobs, or 0 while Redis is unavailable, because jobs then run without Bull. */
  private async waiting(): Promise<number> {
    const { queue } = this.handle;
    if (queue.client.status !== 'ready') return 0;
    return queue.getWaitingCount().catch(() => 0);
  }
}
