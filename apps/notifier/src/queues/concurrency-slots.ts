/** Who has not answered by then is slow or dead. */
const LINGERS_AFTER_MS = 250;
/** At the same time in one process: each costs a socket and some kilobytes. */
const MAX_LINGERING = 600;

/**
 * What one process has under way, deliveries and e-mails. A place is for what is answered soon: a delivery that lingers gives its place back and
 * goes on without, so that dead destinations do not take the places of all others for as long as an attempt may last.
 */
export class Places {
  private readonly running = new Set<Promise<void>>();
  private lingering = 0;

  /** @param maxLingering  how many may give their place back before they have ended */
  constructor(private readonly maxLingering = MAX_LINGERING) {}

  /** Resolves when the place is free again. @param work  never rejects */
  async hold(work: Promise<void>): Promise<void> {
    this.running.add(work);
    void work.then(() => this.running.delete(work));
    let timer: NodeJS.Timeout | undefined;
    const lingers = new Promise<void>((resolve) => {
      timer = setTimeout(() => this.letLinger(work) && resolve(), LINGERS_AFTER_MS);
    });
    await Promise.race([work, lingers]);
    clearTimeout(timer);
  }

  /** Resolves when everything under way has come to its end. */
  async drain(): Promise<void> {
    await Promise.all(this.running);
  }

  private letLinger(work: Promise<void>): boolean {
    if (this.lingering >= this.maxLingering) return false;
    this.lingering += 1;
    void work.then(() => (this.lingering -= 1));
    return true;
  }
}
