import { type Consumer } from '@ats/postgres';
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { RedisLink } from '../config/redis-link.js';
import { Metrics } from '../metrics/metrics.js';
import { type ConcurrencyLease, LEASE_MS, ConcurrencyLeases } from './concurrency-leases.js';
import { type Refusal } from './limit-problem.js';
import { type AdmissionReply, VERDICT } from './limit-scripts.js';
import { LIMIT_SETTINGS, type LimitSettings } from './limit-settings.js';
import { later, leftOf, type LimitStates, newWindows, REASONS, statesOf } from './limit-states.js';
import { secondsOf } from './rate-limit-state.js';
import { Account, type Spent, Spending } from './spending.js';

/**
 * A refusal that holds until the end of a window, from the last answer of Redis. Times are values of
 * `performance.now()`.
 */
interface Block {
  /** Until this time, the process refuses requests without asking Redis. */
  readonly earliestEnd: number;
  readonly answeredAt: number;
  readonly reply: AdmissionReply;
}

export interface Admission {
  readonly states: LimitStates;
  readonly refusal?: Refusal;
  /**
   * Counts the database time and the bytes of answers that the request uses. Absent when no limit needs them, and for a
   * refused request.
   */
  readonly spending?: RequestSpending;
  /**
   * Releases the concurrency lease, and reports the database time and bytes that the request has used. Must be called
   * when the answer is sent. Repeated calls change nothing. Absent for a refused request.
   * @param bytes  length of the answer's body
   */
  readonly release?: (bytes: number) => void;
}

/** Counts the database time and the bytes that one request uses, and is the consumer of its statements. */
export interface RequestSpending extends Consumer {
  isGone: boolean;
  /** Counts bytes of an answer that is sent in parts. */
  addBytes(bytes: number): void;
  /** Seconds until the window of the budgets ends, at least 1. */
  readonly resetSeconds: number;
}

const MAX_BLOCKED = 10_000;
const MAX_ACCOUNTS = 10_000;
/**
 * Value of `Retry-After` for the concurrency limit. It is an estimate, because the API does not know when a running
 * request will end.
 */
export const CONCURRENCY_RETRY_SECONDS = 1;

/**
 * Applies the limits of a credential. One Redis script counts for all processes together. Without Redis every request
 * is admitted. Source: docs/reference/limits.md.
 */
@Injectable()
export class CredentialLimits {
  /** Maps a key id to the used-up window of its credential. */
  readonly #blocked = new LRUCache<string, Block>({ max: MAX_BLOCKED });
  readonly #accounts = new LRUCache<string, Account>({ max: MAX_ACCOUNTS });

  constructor(
    private readonly redis: RedisLink,
    @Inject(LIMIT_SETTINGS) private readonly settings: LimitSettings,
    private readonly leases: ConcurrencyLeases,
    private readonly metrics: Metrics,
  ) {}

  /** Counts a request and decides whether to admit it. @param keyId  public part of a valid token */
  async admit(keyId: string): Promise<Admission> {
    const { rate, windowMs, concurrency, databaseMs, bytes, readShare } = this.settings;
    if (rate + concurrency + databaseMs + bytes === 0)
      return readShare === undefined ? { states: {} } : this.#admitted(keyId, newWindows(this.settings));
    const block = this.#blockOf(keyId);
    if (block) return this.#refused(later(block.reply, performance.now() - block.answeredAt, this.settings));
    const lease = this.leases.name(keyId);
    const askedAt = performance.now();
    const reply = await this.redis.ask(
      (client) =>
        client.admitRequest(
          `ats:limits:{${keyId}}:window`,
          lease.key,
          spendingKey(keyId),
          rate,
          windowMs,
          concurrency,
          LEASE_MS,
          lease.name,
          databaseMs * 1_000,
          bytes,
        ),
      { late: () => this.leases.release(lease) },
    );
    // When Redis does not answer, the request is admitted. Its headers show windows that begin now, because the real
    // windows are unknown.
    if (!reply) {
      this.metrics.limitsUnavailable();
      return this.#admitted(keyId, newWindows(this.settings));
    }
    if (reply[0] === VERDICT.admitted) return this.#admitted(keyId, reply, lease);
    if (reply[0] !== VERDICT.overConcurrency)
      this.#blocked.set(keyId, { earliestEnd: askedAt + leftOf(reply), answeredAt: performance.now(), reply });
    return this.#refused(reply);
  }

  /** Admits a request. @param lease  absent when Redis has not counted the request */
  #admitted(keyId: string, reply: AdmissionReply, lease?: ConcurrencyLease): Admission {
    const { concurrency, databaseMs, bytes, readShare } = this.settings;
    const states = statesOf(reply, this.settings);
    if (lease && concurrency > 0) this.leases.hold(lease);
    if (databaseMs + bytes === 0 && readShare === undefined)
      return { states, ...(lease && concurrency > 0 && { release: () => this.#release(lease) }) };
    const spending = this.#spendingOf(keyId, reply, lease);
    return { states, spending, release: (length) => spending.close(length) };
  }

  #spendingOf(keyId: string, reply: AdmissionReply, lease: ConcurrencyLease | undefined): Spending {
    const account = this.#accounts.get(keyId) ?? new Account();
    account.usedMs = reply[3] / 1_000;
    this.#accounts.set(keyId, account);
    const limitMs = lease ? this.settings.databaseMs : 0;
    return new Spending({
      key: keyId,
      budgetMs: limitMs === 0 ? Infinity : limitMs,
      resetMs: reply[5],
      account,
      report: (spent) => lease && this.#report(keyId, lease, spent),
    });
  }

  #release(lease: ConcurrencyLease): void {
    if (this.leases.drop(lease)) this.leases.release(lease);
  }

  /** Releases the lease and adds the used database time and bytes. It sends one command and does not wait for Redis. */
  #report(keyId: string, lease: ConcurrencyLease, { databaseMs, bytes }: Spent): void {
    const { settings } = this;
    const isHeld = this.leases.drop(lease);
    const us = settings.databaseMs > 0 ? Math.round(databaseMs * 1_000) : 0;
    const length = settings.bytes > 0 ? bytes : 0;
    if (us + length > 0)
      this.redis.tell((client) =>
        client.settleRequest(lease.key, spendingKey(keyId), lease.name, us, length, settings.windowMs),
      );
    else if (isHeld) this.leases.release(lease);
  }

  #refused(reply: AdmissionReply): Admission {
    const reason = REASONS[reply[0]] ?? 'rate';
    const retryAfterSeconds = reason === 'concurrency' ? CONCURRENCY_RETRY_SECONDS : secondsOf(leftOf(reply));
    return { states: statesOf(reply, this.settings), refusal: { reason, retryAfterSeconds } };
  }

  /**
   * Returns the used-up window of a credential, so that the process can refuse a flood of requests without Redis.
   * Undefined while Redis is unavailable, because limits do not apply then.
   */
  #blockOf(keyId: string): Block | undefined {
    const block = this.#blocked.get(keyId);
    if (!block || !this.redis.isUp) return undefined;
    if (block.earliestEnd > performance.now()) return block;
    this.#blocked.delete(keyId);
    return undefined;
  }
}

const spendingKey = (keyId: string): string => `ats:limits:{${keyId}}:spending`;
