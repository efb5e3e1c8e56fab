import { createHash } from 'node:crypto';
import { Agent, type AgentOptions } from 'node:http';
import { type VettedDestination } from '@ats/destination-guard';
import { type ClientCertificate } from '@ats/domain';
import { connectPinned, contextWith, type Peer } from './pinned-socket.js';

/**
 * Maximum number of connections to one origin. It is higher than the number of attempts that may run to one origin at a
 * time, so that no attempt waits for a connection.
 */
const MAX_CONNECTIONS_PER_ORIGIN = 128;
/** Number of idle connections that are kept to one origin. */
const MAX_KEPT_PER_ORIGIN = 32;
/** Time for which an idle connection is kept when the server does not state a time in a `Keep-Alive` header. */
const KEEP_ALIVE_MS = 30_000;
const POOL_IDLE_MS = 60_000;
/**
 * Maximum number of pools. When there are more, the least recently used pool is closed. A host name whose DNS answers
 * alternate has a pool for each answer.
 */
const MAX_POOLS = 1_000;

interface Pool {
  /** The agent that keeps connections for the next request. */
  readonly kept: Agent;
  /** The agent that opens a new connection for each request. */
  readonly fresh: Agent;
  lastUsedAt: number;
  inUse: number;
}

/**
 * Keeps a pool of connections for each combination of an origin, a set of checked addresses and a client certificate. A
 * pool connects only to its addresses. A new certificate has a new pool, so it is used at once, and the connections
 * with the former certificate are closed when they are idle.
 */
export class PinnedConnections {
  /** The pools, least recently used first. */
  private readonly pools = new Map<string, Pool>();

  /** Runs `work` with the pool of the destination and the certificate. The pool stays open while `work` runs. */
  async use<T>(
    destination: VettedDestination,
    certificate: ClientCertificate | null,
    work: (agents: Pick<Pool, 'kept' | 'fresh'>) => Promise<T>,
  ): Promise<T> {
    const key = `${destination.url.origin} ${destination.addresses.join(' ')} ${certificate ? hashOf(certificate) : ''}`;
    const pool = this.pools.get(key) ?? createPool(destination, certificate);
    this.pools.delete(key);
    this.pools.set(key, pool);
    this.closeUnused();
    pool.inUse += 1;
    try {
      return await work(pool);
    } finally {
      pool.inUse -= 1;
      pool.lastUsedAt = performance.now();
    }
  }

  close(): void {
    for (const pool of this.pools.values()) closePool(pool);
    this.pools.clear();
  }

  private closeUnused(): void {
    const now = performance.now();
    for (const [key, pool] of this.pools) {
      if (now - pool.lastUsedAt < POOL_IDLE_MS && this.pools.size <= MAX_POOLS) return;
      if (pool.inUse > 0) continue;
      this.pools.delete(key);
      closePool(pool);
    }
  }
}

const hashOf = ({ certificate, private_key }: ClientCertificate): string =>
  createHash('sha256').update(`${certificate} ${private_key}`).digest('base64');

function createPool({ url, addresses }: VettedDestination, certificate: ClientCertificate | null): Pool {
  const isSecure = url.protocol === 'https:';
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '');
  const peer = {
    isSecure,
    host,
    port: Number(url.port) || (isSecure ? 443 : 80),
    addresses,
    secureContext: isSecure && certificate ? contextWith(certificate) : undefined,
  };
  return {
    kept: new PinnedAgent(peer, {
      keepAlive: true,
      maxSockets: MAX_CONNECTIONS_PER_ORIGIN,
      maxFreeSockets: MAX_KEPT_PER_ORIGIN,
      timeout: KEEP_ALIVE_MS,
    }),
    fresh: new PinnedAgent(peer, { keepAlive: false }),
    lastUsedAt: performance.now(),
    inUse: 0,
  };
}

function closePool({ kept, fresh }: Pool): void {
  kept.destroy();
  fresh.destroy();
}

class PinnedAgent extends Agent {
  private session: Buffer | undefined;

  constructor(
    private readonly peer: Omit<Peer, 'session'>,
    options: AgentOptions,
  ) {
    super(options);
  }

  override createConnection(...[, callback]: Parameters<Agent['createConnection']>): undefined {
    const { session } = this;
    connectPinned({ ...this.peer, session }, (newest) => (this.session = newest)).then(
      (socket) => callback?.(null, socket),
      (error: Error) => callback?.(error, undefined as never),
    );
  }
}
