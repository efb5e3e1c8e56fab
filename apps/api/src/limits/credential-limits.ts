import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { RedisLink } from '../config/redis-link.js';
import { Metrics } from '../metrics/metrics.js';
import { type ConcurrencyLease, LEASE_MS, ConcurrencyLeases } from './concurrency-leases.js';
import { type AdmissionReply, VERDICT } from './limit-scripts.js';
import { LIMIT_SETTINGS, type LimitSettings } from './limit-settings.js';
import { secondsOf, type RateLimitState } from './rate-limit-state.js';

/** What this process knows of a window that is used up, by its own clock. */
interface Block {
  /** It lasts so long at least: nobody needs to ask. */
  readonly until: number;
  /** It is over by then: what clients are told. */
  readonly over: number;
}

/** Why a request is not admitted, and after how many seconds it may be. */
export interface Refusal {
  readonly reason: 'rate' | 'concurrency';
  readonly retryAfterSeconds: number;
}

export interface Admission {
  /** Absent without a limit of the rate. */
  readonly state?: RateLimitState;
  readonly refusal?: Refusal;
  /** To be called when the answer is sent, once or more often; absent where nothing is held. */
  readonly release?: () => void;
}

/** Credentials that are known to have used up their window. */
const MAX_BLOCKED = 10_000;
/** Nobody knows when a request ends. */
const CONCURRENCY_RETRY_SECONDS = 1;

/**
 * How many requests a credential makes in a window and at the same time, counted for all processes in Redis by one question.
 * Without Redis everything passes. Source: CONTRACT.md 10.
 */
@Injectable()
export class CredentialLimits {
  readonly #blocked = new LRUCache<string, Block>({ max: MAX_BLOCKED });

  constructor(
    private readonly redis: RedisLink,
    @Inject(LIMIT_SETTINGS) private readonly settings: LimitSettings,
    private readonly leases: ConcurrencyLeases,
    private readonly metrics: Metrics,
  ) {}

  /** @param keyId the public part of a token that was found to be valid */
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
    // As in a window that begins: nothing is known of it.
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
    return { state, release: this.leases.take(lease) };
  }

  /** The window was to last for `leftMs` at some moment between the question and now. */
  #block(keyId: string, { askedAt, leftMs }: { readonly askedAt: number; readonly leftMs: number }): void {
    this.#blocked.set(keyId, { until: askedAt + leftMs, over: performance.now() + leftMs });
  }

  /** A flood of refused requests is answered without Redis; but when that is away, nothing is refused. */
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
