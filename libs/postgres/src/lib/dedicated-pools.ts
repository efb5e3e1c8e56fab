import type pg from 'pg';
import { type PoolState, stateOf } from './pool-state.js';
import { WatchedPool, type WatchedPoolConfig } from './watched-pool.js';

/** Time limit of a statement in ms. */
const STATEMENT_TIMEOUT_MS = 12_000;
/**
 * Time in ms after which a statement without an answer fails and its connection is replaced. It ends the wait on a
 * connection that was lost without notice, because the next statement may come after hours without traffic. It is
 * longer than the time limit, so that PostgreSQL ends a slow statement first.
 */
const ANSWER_TIMEOUT_MS = 15_000;
/** Time without traffic in ms after which TCP probes the connection, so that firewalls keep it. */
const KEEP_ALIVE_MS = 10_000;

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
    const pool = new WatchedPool({
      ...this.config,
      max: 1,
      idleTimeoutMillis: 0,
      pipeline: true,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      query_timeout: ANSWER_TIMEOUT_MS,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    });
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
