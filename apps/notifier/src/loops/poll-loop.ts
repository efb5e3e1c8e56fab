/** How soon to look again: at once, soon, or when idle. */
export type Amount = 'more' | 'some' | 'none';

export interface PollLoopOptions {
  readonly work: () => Promise<Amount>;
  readonly busyMs: number;
  readonly idleMs: number;
  /** At least this long from one look to the next, so that more comes together when it is woken again and again. 0 unless told. */
  readonly restMs?: number;
  /** Told of every failure; the loop goes on after the idle time. */
  readonly onError: (error: unknown) => void;
}

/** Does one piece of work after the other, never two at a time: looks again after a while, or at once when woken. */
export class PollLoop {
  private running: Promise<void> | undefined;
  private isStopping = false;
  private isWoken = false;
  /** Ends a pause that anything may end; the other ends any pause. */
  private endPause: (() => void) | undefined;
  private endRest: (() => void) | undefined;

  constructor(private readonly options: PollLoopOptions) {}

  start(): void {
    this.running ??= this.run();
  }

  /** Something may have come: looks at once, or once more when it is looking already. */
  wake(): void {
    this.isWoken = true;
    this.endPause?.();
  }

  /** Finishes the piece of work at hand, and resolves then. */
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
      if (pauseMs > 0 && !this.isWoken && !this.isStopping) await this.pause(pauseMs);
      if (pauseMs > 0) await this.rest(startedAt);
    }
  }

  /** However often it is woken, and however little there was to do. */
  private async rest(startedAt: number): Promise<void> {
    const restMs = (this.options.restMs ?? 0) - (performance.now() - startedAt);
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
