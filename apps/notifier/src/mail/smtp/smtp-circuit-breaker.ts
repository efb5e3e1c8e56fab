import { type MailError, SERVER_ERRORS } from './mail-outcome.js';

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

/**
 * Keeps e-mails back while it is the server that is at fault: it is tried with one at a time, more and more seldom, until it works. A backlog
 * neither spends its attempts on a server that is away, nor has an account locked by thousands of wrong logins.
 */
export class ServerGate {
  /** Since the server last worked. */
  private pauses = 0;
  private closedUntil = Number.NEGATIVE_INFINITY;

  /** @param now  milliseconds, from any beginning; never goes back */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** How many of those that there is room for may begin. */
  allows(room: number): number {
    if (this.pauses === 0) return room;
    return this.isClosed() ? 0 : Math.min(room, 1);
  }

  /**
   * So many were begun. While the server is on trial the next waits twice as long at once: what comes of this one may be heard by another
   * process, and nothing but a server that works makes the pause short again.
   */
  begun(count: number): void {
    if (count > 0 && this.pauses > 0) this.close();
  }

  /** What the server did with one of them. What it says of a recipient or a message shows that it works. */
  note(error: MailError | null): void {
    if (error === null || !SERVER_ERRORS.includes(error)) {
      this.pauses = 0;
      return;
    }
    // Those that were under way together count once, and a trial counts when it is begun.
    if (this.pauses === 0) this.close();
  }

  private isClosed(): boolean {
    return this.now() < this.closedUntil;
  }

  private close(): void {
    this.closedUntil = this.now() + Math.min(FIRST_PAUSE_MS * 2 ** this.pauses, LONGEST_PAUSE_MS);
    this.pauses += 1;
  }
}
