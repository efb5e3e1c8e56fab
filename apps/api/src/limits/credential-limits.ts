import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { RedisLink } from '../config/redis-link.js';
import { Metrics } from '../metrics/metrics.js';
import { type ConcurrencyLease, LEASE_MS, ConcurrencyLeases } from './concurrency-leases.js';
import { type AdmissionReply, VERDICT } from './limit-scripts.js';
import { LIMIT_SETTINGS, type LimitSettings } from './limit-settings.js';
import { secondsOf, type RateLimitState } from './rate-limit-state.js';

/**
 * A rate limit window that is used up, according to the last answer of Redis. Times are values of `performance.now()`.
 */
interface Block {
  /** Until this time, the process refuses requests without asking Redis. */
  readonly earliestEnd: number;
  /** `Retry-After` is derived from this time. */
  readonly latestEnd: number;
}

/** The reason why a request is refused, and the seconds until it may be admitted. */
export interface Refusal {
  readonly reason: 'rate' | 'concurrency';
  readonly retryAfterSeconds: number;
}

export interface Admission {
  /** Absent without a rate limit. */
  readonly state?: RateLimitState;
  readonly refusal?: Refusal;
  /**
   * Releases the concurrency lease. Must be called when the answer is sent. Repeated calls change nothing. Absent when
   * the request holds no lease.
   */
  readonly release?: () => void;
}

const MAX_BLOCKED = 10_000;
/**
 * Value of `Retry-After` for the concurrency limit. It is a guess, because the API cannot know when a running request
 * ends.
 */
const CONCURRENCY_RETRY_SECONDS = 1;

/**
 * Applies the rate limit and the concurrency limit of a credential. One Redis script counts for all processes together.
 * Without Redis every request is admitted. Source: docs/reference/limits.md.
 */
@Injectable()
export class CredentialLimits {
  /** Used-up windows by key id. */
  readonly #blocked = new LRUCache<string, Block>({ max: MAX_BLOCKED });

  constructor(
    private readonly redis: RedisLink,
    @Inject(LIMIT_SETTINGS) private readonly settings: LimitSettings,
    private readonly leases: ConcurrencyLeases,
    private readonly metrics: Metrics,
  ) {}

  /** Counts a request and decides whether to admit it. @param keyId  public part of a valid token */
  async admit(keyId: string): Promise<Admission> {
    const { rate, windowMs, concurrency } = this.settings;
    if (rate === 0 && concurrency === 0) return {};
    const block = this.#blockOf(keyId);
    if (block) return this.#overRate(block.latestEnd - performance.now());
    const lease = this.leases.name(keyId);
    const askedAt = performance.now();
    const reply = await this.redis.ask(
      (client) =>
        client.admitRequest(
          `ats:limits:{${keyId}}:window`,
          lease.key,
          rate,
          windowMs,
          concurrency,
          LEASE_MS,
          lease.name,
        ),
      { late: () => this.leases.release(lease) },
    );
    // The headers show a new window, because the real window is unknown.
    if (!reply) {
      this.metrics.limitsUnavailable();
      return { state: this.#stateOf(1, windowMs) };
    }
    if (reply[0] === VERDICT.overRate) this.#block(keyId, { askedAt, leftMs: reply[2] });
    return this.#toAdmission(reply, lease);
  }

  #toAdmission([verdict, used, leftMs]: AdmissionReply, lease: ConcurrencyLease): Admission {
    if (verdict === VERDICT.overRate) return this.#overRate(leftMs);
    const state = this.#stateOf(used, leftMs);
    if (verdict === VERDICT.overConcurrency)
      return { state, refusal: { reason: 'concurrency', retryAfterSeconds: CONCURRENCY_RETRY_SECONDS } };
    if (this.settings.concurrency === 0) return { state };
    return { state, release: this.leases.hold(lease) };
  }

  /** Remembers a used-up window. Redis computed `leftMs` at some moment between `askedAt` and now. */
  #block(keyId: string, { askedAt, leftMs }: { readonly askedAt: number; readonly leftMs: number }): void {
    this.#blocked.set(keyId, { earliestEnd: askedAt + leftMs, latestEnd: performance.now() + leftMs });
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

  #overRate(leftMs: number): Admission {
    return {
      state: this.#stateOf(this.settings.rate, leftMs),
      refusal: { reason: 'rate', retryAfterSeconds: secondsOf(leftMs) },
    };
  }

  #stateOf(used: number, leftMs: number): RateLimitState | undefined {
    const { rate } = this.settings;
    return rate === 0
      ? undefined
      : { limit: rate, remaining: Math.max(0, rate - used), resetSeconds: secondsOf(leftMs) };
  }
}
