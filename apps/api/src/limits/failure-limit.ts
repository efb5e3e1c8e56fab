import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { RedisLink } from '../config/redis-link.js';
import { LIMIT_SETTINGS, type LimitSettings } from './limit-settings.js';
import { secondsOf, type RateLimitState } from './rate-limit-state.js';

const WINDOW_MS = 60_000;
const MAX_ADDRESSES = 10_000;

export interface FailureLimitState extends RateLimitState {
  /** True when the counted failure exceeds the limit. */
  readonly isOver: boolean;
}

/**
 * Counts the failed authentications of a client network per minute (see `networkOf`), in Redis for all processes
 * together. Only failures are counted and refused, so that valid credentials in the same network are not affected.
 * Source: docs/reference/limits.md, "Failed authentications".
 */
@Injectable()
export class FailureLimit {
  /** Maps each network that exceeds the limit to the end of its minute, as a value of `performance.now()`. */
  readonly #over = new LRUCache<string, number>({ max: MAX_ADDRESSES });

  constructor(
    private readonly redis: RedisLink,
    @Inject(LIMIT_SETTINGS) private readonly settings: LimitSettings,
  ) {}

  /** True when the network is over the limit, as far as this process knows. Its next failure is then refused. */
  isOver(network: string): boolean {
    return this.#leftOf(network) > 0;
  }

  /** Counts a failure. @returns the state of the network after this failure, or undefined when there is no limit */
  async count(network: string): Promise<FailureLimitState | undefined> {
    const { failures: limit } = this.settings;
    if (limit === 0) return undefined;
    const knownMs = this.#leftOf(network);
    if (knownMs > 0) return this.#stateOf(limit + 1, knownMs);
    // Without an answer of Redis, the failure counts as the first one of a minute.
    const [failures, leftMs] = (await this.redis.ask((client) =>
      client.countInWindow(`ats:failures:${network}`, WINDOW_MS),
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
