import { type Consumer } from '@ats/postgres';
import { secondsOf } from './rate-limit-state.js';

/** What a request has spent since its last report. */
export interface Spent {
  readonly databaseMs: number;
  readonly bytes: number;
}

/** The database time of a credential in the current window, as far as this process knows, in ms. */
export interface Account {
  /** Used according to Redis, and reported since then. */
  usedMs: number;
  /** Used by requests that have not reported it yet. */
  pendingMs: number;
}

interface SpendingOptions {
  /** Public part of the credential's token. */
  readonly key: string;
  readonly budgetMs: number;
  /** Milliseconds until the window of the budgets ends. */
  readonly resetMs: number;
  readonly account: Account;
  /** Adds the spending to the window of the credential. */
  readonly report: (spent: Spent) => void;
}

/** The database time and the bytes that a request spends. All requests of a credential share its account. */
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
    return budgetMs - account.usedMs - account.pendingMs;
  }

  /** Seconds until the window of the budgets ends, at least 1. */
  get resetSeconds(): number {
    return secondsOf(this.options.resetMs - (performance.now() - this.#beganAt));
  }

  /** Adds the time of a statement. A statement that outlives its request is reported at once. */
  spend(ms: number): void {
    this.#databaseMs += ms;
    this.options.account.pendingMs += ms;
    if (!this.#isOpen) this.#settle();
  }

  /** Ends the request. Repeated calls change nothing. @param bytes  length of the answer's body */
  close(bytes: number): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#bytes = bytes;
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
