/** How soon to look again: at once, soon, or when idle. */
export type Amount = 'more' | 'some' | 'none';

export interface PollLoopOptions {
  readonly work: () => Promise<Amount>;
  readonly busyMs: number;
  readonly idleMs: number;
  /** Told of every failure; the loop goes on after the idle time. */
  readonly onError: (error: unknown) => void;
}

/** Does one piece of work after the other, never two at a time: looks again after a while, or at once when woken. */
export class PollLoop {
  private running: Promise<void> | undefined;
  private isStopping = false;
  private isWoken = false;
  private endPause: (() => void) | undefined;

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
    this.endPause?.();
    await this.running;
  }

  private async run(): Promise<void> {
    while (!this.isStopping) {
      this.isWoken = false;
      const pauseMs = await this.workOnce();
      if (pauseMs > 0 && !this.isWoken && !this.isStopping) await this.pause(pauseMs);
    }
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

  private pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        this.endPause = undefined;
        resolve();
      };
      const timer = setTimeout(end, ms);
      this.endPause = end;
    });
  }
}
