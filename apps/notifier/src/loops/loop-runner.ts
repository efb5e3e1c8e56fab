import { type Logger } from '@ats/logging';
import { failureLevel } from '../config/logger.js';
import { type Metrics } from '../counters/metrics.js';
import { type Amount, type Pauses, PollLoop } from './poll-loop.js';
import { type Signal } from './signals.js';
import { type Watchdog } from './watchdog.js';

/** The pauses of a loop that looks for new work every second. */
export const POLL: Pauses = { busyMs: 100, idleMs: 1_000 };
/** The pauses of a loop that each finished attempt wakes. `restMs` lets one round handle several finished attempts. */
export const POLL_DUE: Pauses = { ...POLL, restMs: 25 };

export interface LoopDescription extends Pauses {
  /** The name of the loop in logs and in the metrics label `loop`. */
  readonly name: string;
  readonly work: () => Promise<Amount>;
  /** The signal that starts a round at once. */
  readonly wakeOn?: Signal;
}

/** Runs all loops of the process. Each module adds its own loops. */
export class LoopRunner {
  private readonly loops: PollLoop[] = [];

  constructor(
    private readonly watchdog: Watchdog,
    private readonly metrics: Metrics,
    private readonly logger: Logger,
  ) {}

  add({ name, work, wakeOn, ...pauses }: LoopDescription): void {
    const onError = (error: unknown): void => {
      this.metrics.stepFailed(name);
      this.logger[failureLevel(error, 'error')]({ loop: name, err: error }, 'a round of a loop failed: repeating it');
    };
    const loop = new PollLoop({ ...pauses, work: () => this.watchdog.follow(name, work), onError });
    wakeOn?.onRaise(() => loop.wake());
    this.loops.push(loop);
  }

  start(): void {
    for (const loop of this.loops) loop.start();
  }

  /** Resolves when the current round of each loop has ended. */
  async stop(): Promise<void> {
    await Promise.all(this.loops.map((loop) => loop.stop()));
  }

  /**
   * Sets the function that runs before the watchdog ends the process.
   * @param stop  finishes the running work
   */
  onStuck(stop: () => Promise<void>): void {
    this.watchdog.onStuck(stop);
  }
}
