import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { RedisLink } from '../config/redis-link.js';
import { Measures } from '../metrics/metrics.js';
import { type AdmissionReply, VERDICT } from './limit-scripts.js';
import { LIMIT_SETTINGS, type LimitSettings } from './limit-settings.js';
import { type Place, PLACE_MS, Places } from './concurrency-lease.js';
import { secondsOf, type Standing } from './rate-limit-state.js';

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
  readonly #blocked = new LRUCache<string, Block>({ max: MAX_BLOCKED });

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
    const block = this.#blockOf(keyId);
    if (block) return this.#overRate(block.over - performance.now());
    const place = this.places.name(keyId);
    const askedAt = performance.now();
    const reply = await this.redis.ask(
      (client) =>
        client.admitRequest(
          `ats:limits:{${keyId}}:window`,
          place.key,
          rate,
          windowMs,
          concurrency,
          PLACE_MS,
          place.name,
        ),
      { late: () => this.places.release(place) },
    );
    // As in a window that begins: nothing is known of it.
    if (!reply) {
      this.measures.limitsUnavailable();
      return { standing: this.#standing(1, windowMs) };
    }
    if (reply[0] === VERDICT.overRate) this.#block(keyId, { askedAt, leftMs: reply[2] });
    return this.#judge(reply, place);
  }

  #judge([verdict, used, leftMs]: AdmissionReply, place: Place): Admission {
    if (verdict === VERDICT.overRate) return this.#overRate(leftMs);
    const standing = this.#standing(used, leftMs);
    if (verdict === VERDICT.overConcurrency)
      return { standing, refusal: { reason: 'concurrency', retryAfterSeconds: PLACE_RETRY_SECONDS } };
    if (this.settings.concurrency === 0) return { standing };
    return { standing, release: this.places.take(place) };
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
      standing: this.#standing(this.settings.rate, leftMs),
      refusal: { reason: 'rate', retryAfterSeconds: secondsOf(leftMs) },
    };
  }

  #standing(used: number, leftMs: number): Standing | undefined {
    const { rate } = this.settings;
    return rate === 0
      ? undefined
      : { limit: rate, remaining: Math.max(0, rate - used), resetSeconds: secondsOf(leftMs) };
  }
}
