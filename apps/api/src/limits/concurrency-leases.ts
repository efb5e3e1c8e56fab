import { randomBytes } from 'node:crypto';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { RedisLink } from '../config/redis-link.js';

/** A place that is not held on to is free after so long: that of a process that has died. */
export const LEASE_MS = 15_000;
const HOLD_EVERY_MS = 5_000;

export interface ConcurrencyLease {
  /** Where the places of a credential are. */
  readonly key: string;
  readonly name: string;
}

/** The places that requests of this process have among those of their credentials. Most are given back long before they run out. */
@Injectable()
export class ConcurrencyLeases implements OnApplicationShutdown {
  readonly #process = randomBytes(9).toString('base64url');
  #count = 0;
  readonly #taken = new Map<ConcurrencyLease, number>();
  readonly #timer = setInterval(() => this.#hold(), HOLD_EVERY_MS).unref();

  constructor(private readonly redis: RedisLink) {}

  /** The keys of a credential have one hash tag, so that a cluster has them in one part. */
  name(keyId: string): ConcurrencyLease {
    return { key: `ats:limits:{${keyId}}:places`, name: `${this.#process}:${++this.#count}` };
  }

  /** @returns gives it back */
  take(lease: ConcurrencyLease): () => void {
    this.#taken.set(lease, performance.now());
    return () => {
      if (this.#taken.delete(lease)) this.release(lease);
    };
  }

  /** Nobody waits for it. */
  release({ key, name }: ConcurrencyLease): void {
    this.redis.tell((client) => client.zrem(key, name));
  }

  onApplicationShutdown(): void {
    clearInterval(this.#timer);
  }

  /** For requests that take long. */
  #hold(): void {
    const names = new Map<string, string[]>();
    const old = performance.now() - HOLD_EVERY_MS;
    for (const [{ key, name }, since] of this.#taken)
      if (since <= old) names.set(key, [...(names.get(key) ?? []), name]);
    for (const [key, held] of names) this.redis.tell((client) => client.renewLeases(key, LEASE_MS, ...held));
  }
}
