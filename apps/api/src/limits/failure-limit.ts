import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { RedisLink } from '../config/redis-link.js';
import { LIMIT_SETTINGS, type LimitSettings } from './limit-settings.js';
import { secondsOf, type RateLimitState } from './rate-limit-state.js';

const WINDOW_MS = 60_000;
const MAX_ADDRESSES = 10_000;

export interface FailureLimitState extends RateLimitState {
  /** It was one too many. */
  readonly isOver: boolean;
}

/**
 * How often an address shows no valid credential in a minute, counted for all processes in Redis. Only failures are counted and only
 * failures are refused, so that nobody suffers from who else is behind an address.
 */
@Injectable()
export class FailureLimit {
  /** Addresses over the limit, and until when, by the clock of this process. */
  readonly #over = new LRUCache<string, number>({ max: MAX_ADDRESSES });

  constructor(
    private readonly redis: RedisLink,
    @Inject(LIMIT_SETTINGS) private readonly settings: LimitSettings,
  ) {}

  /** Whether the next failure of the address will be refused, as far as this process knows. */
  isOver(network: string): boolean {
    return this.#leftOf(network) > 0;
  }

  /** Counts a failure. @returns how the address stands with it; undefined without a limit */
  async count(network: string): Promise<FailureLimitState | undefined> {
    const { failures: limit } = this.settings;
    if (limit === 0) return undefined;
    const knownMs = this.#leftOf(network);
    if (knownMs > 0) return this.#stateOf(limit + 1, knownMs);
    // Without an answer as in a window that begins: nothing is known of it.
    const [failures, leftMs] = (await this.redis.ask((client) =>
      client.countFailure(`ats:failures:${network}`, WINDOW_MS),
    )) ?? [1, WINDOW_MS];
    if (failures > limit) this.#over.set(network, performance.now() + leftMs);
    return this.#stateOf(failures, leftMs);
  }

  #stateOf(failures: number, leftMs: number): FailureLimitState {
    const { failures: limit } = this.settings;
    return {
      limit,
      remaining: Math.max(0, limit - failures),
      resetSeconds: secondsOf(leftMs),
      isOver: failures > limit,
    };
  }

  #leftOf(network: string): number {
    const until = this.#over.get(network);
    return until === undefined || !this.redis.isUp ? 0 : until - performance.now();
  }
}
