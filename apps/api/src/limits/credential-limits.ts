import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { RedisLink } from '../config/redis-link.js';
import { Metrics } from '../metrics/metrics.js';
import { type ConcurrencyLease, LEASE_MS, ConcurrencyLeases } from './concurrency-leases.js';
import { type AdmissionReply, VERDICT } from './limit-scripts.js';
import { LIMIT_SETTINGS, type LimitSettings } from './limit-settings.js';
import { secondsOf, type RateLimitState } from './rate-limit-state.js';

/** A window that is used up, as this process knows it. Times are those of `performance.now()`. */
interface Block {
  /** Earliest end of the window. Before it, requests are refused without Redis. */
  readonly until: number;
  /** Latest end of the window. `Retry-After` is derived from it. */
  readonly over: number;
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
  /** Must be called when the answer is sent, at least once. Absent when the request holds no lease. */
  readonly release?: () => void;
}

const MAX_BLOCKED = 10_000;
/** A guess, because the end of a running request is unknown. */
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

  /** Counts a request and decides about it. @param keyId  public part of a valid token */
  async admit(keyId: string): Promise<Admission> {
    const { rate, windowMs, concurrency } = this.settings;
    if (rate === 0 && concurrency === 0) return {};
    const block = this.#blockOf(keyId);
    if (block) return this.#overRate(block.over - performance.now());
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
    // The headers are those of a new window, because the real one is unknown.
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

  /** Redis computed `leftMs` at some moment between `askedAt` and now. */
  #block(keyId: string, { askedAt, leftMs }: { readonly askedAt: number; readonly leftMs: number }): void {
    this.#blocked.set(keyId, { until: askedAt + leftMs, over: performance.now() + leftMs });
  }

  /**
   * The known used-up window of a credential, so that floods are refused without Redis. None while Redis is
   * unavailable.
   */
  #blockOf(keyId: string): Block | undefined {
    const block = this.#blocked.get(keyId);
    if (!block || !this.redis.isUp) return undefined;
    if (block.until > performance.now()) return block;
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
