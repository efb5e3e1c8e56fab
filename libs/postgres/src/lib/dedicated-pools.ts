import type pg from 'pg';
import { type PoolState, stateOf } from './pool-state.js';
import { WatchedPool, type WatchedPoolConfig } from './watched-pool.js';

/**
 * Connections for statements that are frequent and take long to plan. Each name has a pool with a single connection,
 * which stays open. So the process plans the prepared statements of this name only once. The connection sends
 * statements without waiting for the answers to earlier ones.
 */
export class DedicatedPools {
  readonly #pools = new Map<string, pg.Pool>();

  constructor(private readonly config: WatchedPoolConfig) {}

  /** Returns the pool with this name. It connects with its first statement. */
  get(name: string): pg.Pool {
    const known = this.#pools.get(name);
    if (known) return known;
    const pool = new WatchedPool({ ...this.config, max: 1, idleTimeoutMillis: 0, pipeline: true });
    pool.on('error', () => undefined);
    surviveLostConnections(pool);
    this.#pools.set(name, pool);
    return pool;
  }

  /** Returns the current connections of each name. */
  get states(): readonly PoolState[] {
    return [...this.#pools].map(([name, pool]) => stateOf(name, pool));
  }

  /** Closes all connections after their running statements have finished. */
  async close(): Promise<void> {
    await Promise.all([...this.#pools.values()].map((pool) => pool.end()));
  }
}

/**
 * Handles the event `error` of connections. A connection that breaks while it is used rejects its statement and also
 * emits this event. Without a listener, the event would end the process.
 */
export function surviveLostConnections(pool: pg.Pool): void {
  const heard = new WeakSet<pg.PoolClient>();
  pool.on('acquire', (client) => {
    if (heard.has(client)) return;
    heard.add(client);
    client.on('error', () => undefined);
  });
}
