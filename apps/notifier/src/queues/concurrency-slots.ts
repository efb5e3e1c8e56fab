/** An attempt that runs longer than this has a slow or dead destination. */
const SLOW_AFTER_MS = 250;
/** Default number of slow attempts that continue without a slot. Each costs a socket and some kilobytes. */
const MAX_SLOW = 600;

/**
 * The running attempts of one process. Work holds a concurrency slot until it ends or becomes slow. Slow work continues
 * without a slot, so that dead destinations do not block all others until the timeout.
 */
export class ConcurrencySlots {
  private readonly running = new Set<Promise<void>>();
  private slow = 0;

  /** @param maxSlow  maximum number of attempts that continue without a slot */
  constructor(private readonly maxSlow = MAX_SLOW) {}

  /** Resolves when the slot is free again. @param work  must never reject */
  async hold(work: Promise<void>): Promise<void> {
    this.running.add(work);
    void work.then(() => this.running.delete(work));
    let timer: NodeJS.Timeout | undefined;
    const becomesSlow = new Promise<void>((resolve) => {
      timer = setTimeout(() => this.continueWithoutSlot(work) && resolve(), SLOW_AFTER_MS);
    });
    await Promise.race([work, becomesSlow]);
    clearTimeout(timer);
  }

  /** Resolves when all running work has ended, slow work included. */
  async drain(): Promise<void> {
    await Promise.all(this.running);
  }

  private continueWithoutSlot(work: Promise<void>): boolean {
    if (this.slow >= this.maxSlow) return false;
    this.slow += 1;
    void work.then(() => (this.slow -= 1));
    return true;
  }
}
