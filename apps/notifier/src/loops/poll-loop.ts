/**
 * How much work a round has found. After `more` the next round starts at once, after `some` it starts after `busyMs`,
 * and after `none` after `idleMs`.
 */
export type Amount = 'more' | 'some' | 'none';

export interface Pauses {
  readonly busyMs: number;
  readonly idleMs: number;
  /**
   * Shortest time between the starts of two rounds, so that a loop that is often woken handles more in each round.
   * After a longer round, the loop rests as long as the round took, but at most `busyMs`. So rounds of up to `busyMs`
   * use at most half of the time. After `more`, there is no rest. Defaults to 0, which means no rest at all.
   */
  readonly restMs?: number;
}

export interface PollLoopOptions extends Pauses {
  readonly work: () => Promise<Amount>;
  /** Called for each failed round. The loop continues after `idleMs`. */
  readonly onError: (error: unknown) => void;
}

/** Runs rounds of work, one after the other. The next round starts after a pause, or at once when the loop is woken. */
export class PollLoop {
  private running: Promise<void> | undefined;
  private isStopping = false;
  private isWoken = false;
  /** Ends a pause that `wake` is allowed to end. */
  private endPause: (() => void) | undefined;
  /** Ends any pause, including one of `restMs`. */
  private endRest: (() => void) | undefined;

  constructor(private readonly options: PollLoopOptions) {}

  start(): void {
    this.running ??= this.run();
  }

  /** Starts a round at once. While a round is running, starts one more after it. */
  wake(): void {
    this.isWoken = true;
    this.endPause?.();
  }

  /** Starts no further round. Resolves when the current round has ended. */
  async stop(): Promise<void> {
    this.isStopping = true;
    this.endRest?.();
    await this.running;
  }

  private async run(): Promise<void> {
    while (!this.isStopping) {
      this.isWoken = false;
      const startedAt = performance.now();
      const pauseMs = await this.workOnce();
      const roundMs = performance.now() - startedAt;
      if (pauseMs > 0 && !this.isWoken && !this.isStopping) await this.pause(pauseMs);
      if (pauseMs > 0) await this.rest(startedAt, roundMs);
    }
  }

  /** @param roundMs  duration of the round that began at `startedAt` */
  private async rest(startedAt: number, roundMs: number): Promise<void> {
    const { restMs: shortestMs = 0, busyMs } = this.options;
    if (shortestMs === 0) return;
    const periodMs = Math.max(shortestMs, roundMs + Math.min(roundMs, busyMs));
    const restMs = periodMs - (performance.now() - startedAt);
    if (restMs > 0 && !this.isStopping) await this.pause(restMs, { isWakeable: false });
  }

  private async workOnce(): Promise<number> {
    const { work, busyMs, idleMs, onError } = this.options;
    try {
      const amount = await work();
      if (amount === 'more') return 0;
      return amount === 'some' ? busyMs : idleMs;
    } catch (error) {
      onError(error);
      this.isWoken = false;
      return idleMs;
    }
  }

  private pause(ms: number, { isWakeable = true } = {}): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        this.endPause = undefined;
        this.endRest = undefined;
        resolve();
      };
      const timer = setTimeout(end, ms);
      if (isWakeable) this.endPause = end;
      this.endRest = end;
    });
  }
}
