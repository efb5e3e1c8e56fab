import { randomBytes } from 'node:crypto';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { RedisLink } from '../config/redis-link.js';

/** Time in ms after which a lease expires unless it is renewed. It ends the leases of a process that died. */
export const LEASE_MS = 15_000;
const RENEW_INTERVAL_MS = 5_000;

export interface ConcurrencyLease {
  /** Redis key of all leases of the credential. */
  readonly key: string;
  readonly name: string;
}

/**
 * Manages the concurrency leases of the requests in this process. Most requests end long before their lease expires.
 */
@Injectable()
export class ConcurrencyLeases implements OnApplicationShutdown {
  readonly #process = randomBytes(9).toString('base64url');
  #count = 0;
  /** Maps each held lease to the time at which it was taken. */
  readonly #held = new Map<ConcurrencyLease, number>();
  readonly #timer = setInterval(() => this.#renew(), RENEW_INTERVAL_MS).unref();

  constructor(private readonly redis: RedisLink) {}

  /**
   * Makes the key and the name of a new lease. All Redis keys of a credential have the same hash tag, so that a Redis
   * cluster keeps them on one node.
   */
  name(keyId: string): ConcurrencyLease {
    return { key: `ats:limits:{${keyId}}:leases`, name: `${this.#process}:${++this.#count}` };
  }

  /** Renews the lease until it is dropped. */
  hold(lease: ConcurrencyLease): void {
    this.#held.set(lease, performance.now());
  }

  /**
   * Stops renewing the lease.
   * @returns true when the lease was held
   */
  drop(lease: ConcurrencyLease): boolean {
    return this.#held.delete(lease);
  }

  /** Releases the lease without waiting for Redis. */
  release({ key, name }: ConcurrencyLease): void {
    this.redis.tell((client) => client.zrem(key, name));
  }

  onApplicationShutdown(): void {
    clearInterval(this.#timer);
  }

  /** Renews the leases of requests that have run for longer than `RENEW_INTERVAL_MS`. */
  #renew(): void {
    const names = new Map<string, string[]>();
    const old = performance.now() - RENEW_INTERVAL_MS;
    for (const [{ key, name }, since] of this.#held)
      if (since <= old) names.set(key, [...(names.get(key) ?? []), name]);
    for (const [key, held] of names) this.redis.tell((client) => client.renewLeases(key, LEASE_MS, ...held));
  }
}
