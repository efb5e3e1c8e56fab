/** Time in ms after which a running attempt is hanging: its destination is slow or dead. */
export const HANGING_AFTER_MS = 250;
/** Records the time at which a piece of work has last made progress. */
export class Progress {
  private at = performance.now();

  note(): void {
    this.at = performance.now();
  }

  /** Milliseconds since the work began or last made progress. */
  idleMs(): number {
    return performance.now() - this.at;
  }
}

/** Default maximum of hanging attempts that continue without a slot. Each of them needs a socket and some kilobytes. */
const MAX_HANGING = 600;

/**
 * Counts the running attempts of one process. Work holds a concurrency slot until it ends or hangs. Hanging work
 * continues without a slot, so that dead destinations do not block all others until their timeouts.
 */
export class ConcurrencySlots {
  private readonly running = new Set<Promise<void>>();
  private hanging = 0;

  /** @param maxHanging  maximum number of attempts that continue without a slot */
  constructor(private readonly maxHanging = MAX_HANGING) {}

  /**
   * Holds a slot for work. Resolves when the slot is free again.
   * @param work  must never reject
   * @param progress  records the start of each attempt, for work that consists of several attempts
   */
  async hold(work: Promise<void>, progress = new Progress()): Promise<void> {
    this.running.add(work);
    void work.then(() => this.running.delete(work));
    let timer: NodeJS.Timeout | undefined;
    const hangs = new Promise<void>((resolve) => {
      const check = (): void => {
        const leftMs = Math.ceil(HANGING_AFTER_MS - progress.idleMs());
        if (leftMs > 0) timer = setTimeout(check, leftMs);
        else if (this.continueWithoutSlot(work)) resolve();
      };
      timer = setTimeout(check, HANGING_AFTER_MS);
    });
    await Promise.race([work, hangs]);
    clearTimeout(timer);
  }

  /** Resolves when all running work has ended, including hanging work. */
  async drain(): Promise<void> {
    await Promise.all(this.running);
  }

  private continueWithoutSlot(work: Promise<void>): boolean {
    if (this.hanging >= this.maxHanging) return false;
    this.hanging += 1;
    void work.then(() => (this.hanging -= 1));
    return true;
  }
}
