import { type MailError, SERVER_ERRORS } from './mail-outcome.js';

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

/**
 * Stops sending while the mail server itself fails. It then allows one e-mail at a time, after growing pauses, until
 * one succeeds. A backlog neither uses up its attempts on an unavailable server nor locks an account by repeated wrong
 * logins.
 */
export class SmtpCircuitBreaker {
  /** Number of pauses since the server last worked. 0 while the circuit breaker is closed. */
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
   * Records that e-mails were handed over. While the circuit breaker is open, each call doubles the pause. It does not
   * wait for the result of the e-mail, because another process may receive that result. Only a success closes the
   * circuit breaker.
   */
  recordStarted(count: number): void {
    if (count > 0 && this.pauses > 0) this.pause();
  }

  /** Records the result of an e-mail. An error about a recipient or a message shows that the server works. */
  recordResult(error: MailError | null): void {
    if (error === null || !SERVER_ERRORS.includes(error)) {
      this.pauses = 0;
      return;
    }
    // Concurrent failures start only one pause. A failed trial starts none, because `recordStarted` has already started
    // one.
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
