import { type MailError, SERVER_ERRORS } from './mail-outcome.js';

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

/**
 * Stops sending while the mail server itself fails. Then it allows one e-mail at a time, after growing pauses, until an
 * e-mail is sent. So a backlog does not use up its attempts on an unavailable server, and repeated wrong logins do not
 * lock the account.
 */
export class SmtpCircuitBreaker {
  /** Number of pauses since the server last worked. It is 0 while the circuit breaker is closed. */
  private pauses = 0;
  private pausedUntil = Number.NEGATIVE_INFINITY;

  /** @param now  a monotonic clock in milliseconds */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Returns how many of `capacity` e-mails may start now. */
  limit(capacity: number): number {
    if (this.pauses === 0) return capacity;
    return this.isPaused() ? 0 : Math.min(capacity, 1);
  }

  /**
   * Records that e-mails were handed to the job dispatcher. While the circuit breaker is open, each call starts a pause
   * that is twice as long as the pause before, but at most a minute. The pause does not depend on the result of the
   * e-mail, because another process may get that result. Only a success closes the circuit breaker.
   */
  recordStarted(count: number): void {
    if (count > 0 && this.pauses > 0) this.pause();
  }

  /**
   * Records the result of an e-mail. An error about a recipient or a message counts as a success, because it shows that
   * the server works.
   */
  recordResult(error: MailError | null): void {
    if (error === null || !SERVER_ERRORS.includes(error)) {
      this.pauses = 0;
      return;
    }
    // Only the first of several failures starts a pause here. While the circuit breaker is open, `recordStarted` has
    // started the next pause before the single e-mail fails.
    if (this.pauses === 0) this.pause();
  }

  private isPaused(): boolean {
    return this.now() < this.pausedUntil;
  }

  private pause(): void {
    this.pausedUntil = this.now() + Math.min(FIRST_PAUSE_MS * 2 ** this.pauses, LONGEST_PAUSE_MS);
    this.pauses += 1;
  }
}
