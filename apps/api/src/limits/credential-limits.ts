import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { RedisLink } from '../config/redis-link.js';
import { Measures } from '../metrics/measures.js';
import { type AdmissionReply, VERDICT } from './limit-scripts.js';
import { LIMIT_SETTINGS, type LimitSettings } from './limit-settings.js';
import { type Place, PLACE_MS, Places } from './places.js';

/** What a credential has left in its window: the `RateLimit-*` headers. */
export interface Standing {
  readonly limit: number;
  readonly remaining: number;
  /** Seconds to the end of the window, at least 1. */
  readonly resetSeconds: number;
}

/** Why a request is not admitted, and after how many seconds it may be. */
export interface Refusal {
  readonly reason: 'rate' | 'concurrency';
  readonly retryAfterSeconds: number;
}

export interface Admission {
  /** Absent without a limit of the rate. */
  readonly standing?: Standing;
  readonly refusal?: Refusal;
  /** To be called when the answer is sent, once or more often; absent where nothing is held. */
  readonly release?: () => void;
}

/** Credentials that are known to have used up their window. */
const MAX_BLOCKED = 10_000;
/** Nobody knows when a request ends. */
const PLACE_RETRY_SECONDS = 1;

/**
 * How many requests a credential makes in a window and at the same time, counted for all processes in Redis by one question.
 * Without Redis everything passes. Source: CONTRACT.md 10.
 */
@Injectable()
export class CredentialLimits {
  /** Until when, by the clock of this process. */
  readonly #blocked = new LRUCache<string, number>({ max: MAX_BLOCKED });

  constructor(
    private readonly redis: RedisLink,
    @Inject(LIMIT_SETTINGS) private readonly settings: LimitSettings,
    private readonly places: Places,
    private readonly measures: Measures,
  ) {}

  /** @param keyId the public part of a token that was found to be valid */
  async admit(keyId: string): Promise<Admission> {
    const { rate, windowMs, concurrency } = this.settings;
    if (rate === 0 && concurrency === 0) return {};
    const leftMs = this.#blockedFor(keyId);
    if (leftMs > 0) return this.#overRate(leftMs);
    const place = this.places.name(keyId);
    const reply = await this.redis.ask(
      (client) => client.admitRequest(`ats:limits:{${keyId}}:window`, place.key, rate, windowMs, concurrency, PLACE_MS, place.name),
      { late: () => this.places.release(place) },
    );
    // As in a window that begins: nothing is known of it.
    if (!reply) {
      this.measures.limitsUnavailable();
      return { standing: this.#standing(1, windowMs) };
    }
    return this.#judge(keyId, reply, place);
  }

  #judge(keyId: string, [verdict, used, leftMs]: AdmissionReply, place: Place): Admission {
    if (verdict === VERDICT.overRate) {
      this.#blocked.set(keyId, performance.now() + leftMs);
      return this.#overRate(leftMs);
    }
    const standing = this.#standing(used, leftMs);
    if (verdict === VERDICT.overConcurrency) return { standing, refusal: { reason: 'concurrency', retryAfterSeconds: PLACE_RETRY_SECONDS } };
    if (this.settings.concurrency === 0) return { standing };
    return { standing, release: this.places.take(place) };
  }

  /** A flood of refused requests is answered without Redis; but when that is away, nothing is refused. */
  #blockedFor(keyId: string): number {
    const until = this.#blocked.get(keyId);
    if (until === undefined || !this.redis.isUp) return 0;
    const leftMs = until - performance.now();
    if (leftMs <= 0) this.#blocked.delete(keyId);
    return leftMs;
  }

  #overRate(leftMs: number): Admission {
    return { standing: this.#standing(this.settings.rate, leftMs), refusal: { reason: 'rate', retryAfterSeconds: secondsOf(leftMs) } };
  }

  #standing(used: number, leftMs: number): Standing | undefined {
    const { rate } = this.settings;
    return rate === 0 ? undefined : { limit: rate, remaining: Math.max(0, rate - used), resetSeconds: secondsOf(leftMs) };
  }
}

const secondsOf = (ms: number): number => Math.max(1, Math.ceil(ms / 1_000));
