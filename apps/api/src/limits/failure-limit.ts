import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { RedisLink } from '../config/redis-link.js';
import { LIMIT_SETTINGS, type LimitSettings } from './limit-settings.js';

const WINDOW_MS = 60_000;
const MAX_ADDRESSES = 10_000;

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

  /** Counts a failure. @returns seconds to wait when it is one too many, else null */
  async count(network: string): Promise<number | null> {
    const { failures: limit } = this.settings;
    if (limit === 0) return null;
    const knownMs = this.#leftOf(network);
    if (knownMs > 0) return secondsOf(knownMs);
    const reply = await this.redis.ask((client) => client.countFailure(`ats:failures:${network}`, WINDOW_MS));
    if (!reply) return null;
    const [failures, leftMs] = reply;
    if (failures <= limit) return null;
    this.#over.set(network, performance.now() + leftMs);
    return secondsOf(leftMs);
  }

  #leftOf(network: string): number {
    const until = this.#over.get(network);
    return until === undefined || !this.redis.isUp ? 0 : until - performance.now();
  }
}

const secondsOf = (ms: number): number => Math.max(1, Math.ceil(ms / 1_000));
