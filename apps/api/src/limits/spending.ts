import { type Consumer } from '@ats/postgres';
import { secondsOf } from './rate-limit-state.js';

/** The database time and the bytes that a request has used since its last report. */
export interface Spent {
  readonly databaseMs: number;
  readonly bytes: number;
}

/** Share of the budget above which a credential counts as costly. */
const COSTLY_SHARE = 0.1;
/**
 * Time in ms for which a credential stays costly. It is longer than a window, because the used time is 0 when a window
 * begins.
 */
const COSTLY_MS = 60_000;

/** The database time of a credential in the current window, as far as this process knows. */
export class Account {
  /**
   * Database time in ms that counts as used: the time in the last answer of Redis, and the time that this process has
   * reported since then.
   */
  usedMs = 0;
  /** Database time in ms that running requests have used and this process has not reported yet. */
  pendingMs = 0;
  #running = 0;
  /**
   * Sum of the start times of all running statements. Their total running time is their number × the current time,
   * minus this sum.
   */
  #starts = 0;
  #costlyUntil = -Infinity;

  /** Used database time in ms, including the time of the statements that are still running. */
  get spentMs(): number {
    return this.usedMs + this.pendingMs + this.#running * performance.now() - this.#starts;
  }

  /** True when the credential has used a large part of its budget within the last minute. */
  isCostly(budgetMs: number): boolean {
    const now = performance.now();
    if (this.spentMs >= budgetMs * COSTLY_SHARE) this.#costlyUntil = now + COSTLY_MS;
    return now < this.#costlyUntil;
  }

  /** Counts a running statement. @returns a function that ends it */
  begin(): () => void {
    const start = performance.now();
    this.#running += 1;
    this.#starts += start;
    return () => {
      this.#running -= 1;
      this.#starts = this.#running === 0 ? 0 : this.#starts - start;
    };
  }
}

interface SpendingOptions {
  /** Public part of the credential's token. */
  readonly key: string;
  readonly budgetMs: number;
  /** Milliseconds until the window of the budgets ends. */
  readonly resetMs: number;
  readonly account: Account;
  /** Adds used database time and bytes to the window of the credential. */
  readonly report: (spent: Spent) => void;
}

/** Counts the database time and the bytes that one request uses. All requests of a credential share one `Account`. */
export class Spending implements Consumer {
  isGone = false;
  #databaseMs = 0;
  #bytes = 0;
  #isOpen = true;
  readonly #beganAt = performance.now();

  constructor(private readonly options: SpendingOptions) {}

  get key(): string {
    return this.options.key;
  }

  get budgetMs(): number {
    return this.options.budgetMs;
  }

  get leftMs(): number {
    const { budgetMs, account } = this.options;
    return budgetMs - account.spentMs;
  }

  get isCostly(): boolean {
    return this.options.account.isCostly(this.options.budgetMs);
  }

  /** Seconds until the window of the budgets ends, at least 1. */
  get resetSeconds(): number {
    return secondsOf(this.options.resetMs - (performance.now() - this.#beganAt));
  }

  /** Counts the time of a statement. If the statement runs longer than its request, its time is reported at its end. */
  begin(): (ms: number) => void {
    const end = this.options.account.begin();
    return (ms) => {
      end();
      this.#databaseMs += ms;
      this.options.account.pendingMs += ms;
      if (!this.#isOpen) this.#settle();
    };
  }

  /** Counts bytes of an answer that is sent in parts. */
  addBytes(bytes: number): void {
    this.#bytes += bytes;
    if (!this.#isOpen) this.#settle();
  }

  /** Ends the request. Repeated calls change nothing. @param bytes  length of the answer's body */
  close(bytes: number): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#bytes += bytes;
    this.#settle();
  }

  #settle(): void {
    const spent = { databaseMs: this.#databaseMs, bytes: this.#bytes };
    this.options.account.pendingMs -= spent.databaseMs;
    this.options.account.usedMs += spent.databaseMs;
    [this.#databaseMs, this.#bytes] = [0, 0];
    this.options.report(spent);
  }
}
