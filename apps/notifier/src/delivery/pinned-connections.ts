import { BlockList, isIP, type LookupFunction } from 'node:net';
import { buildConnector, Pool } from 'undici';

const CONNECT_TIMEOUT_MS = 5_000;
const CONNECTIONS_PER_ORIGIN = 32;
const MAX_HEADER_BYTES = 16 * 1024;
/** Less than most servers keep a connection, so that a request rarely meets one that is being closed. */
const KEEP_ALIVE_MS = 4_000;
const POOL_IDLE_MS = 60_000;

interface PooledConnections {
  readonly pool: Pool;
  lastUsedAt: number;
  inUse: number;
}

/**
 * Connections that can only go to addresses that were checked: the name is never resolved again, and the peer of every new
 * socket is compared with the list before anything is written. One pool for each origin and set of addresses.
 */
export class PinnedConnections {
  private readonly pools = new Map<string, PooledConnections>();

  /** Runs `work` with a pool for this destination, which is not closed meanwhile. */
  async use<T>(url: URL, addresses: readonly string[], work: (pool: Pool) => Promise<T>): Promise<T> {
    this.closeIdle();
    const key = `${url.origin} ${addresses.join(' ')}`;
    let pooled = this.pools.get(key);
    if (!pooled) this.pools.set(key, (pooled = { pool: createPool(url, addresses), lastUsedAt: 0, inUse: 0 }));
    pooled.inUse += 1;
    try {
      return await work(pooled.pool);
    } finally {
      pooled.inUse -= 1;
      pooled.lastUsedAt = performance.now();
    }
  }

  async close(): Promise<void> {
    const pools = [...this.pools.values()];
    this.pools.clear();
    await Promise.all(pools.map(({ pool }) => pool.destroy()));
  }

  private closeIdle(): void {
    const now = performance.now();
    for (const [key, { pool, lastUsedAt, inUse }] of this.pools) {
      if (inUse > 0 || now - lastUsedAt < POOL_IDLE_MS) continue;
      this.pools.delete(key);
      void pool.destroy();
    }
  }
}

function createPool(url: URL, addresses: readonly string[]): Pool {
  return new Pool(url.origin, {
    connect: pinnedConnector(addresses),
    connections: CONNECTIONS_PER_ORIGIN,
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
    // The caller's signal bounds the whole exchange; timers of the parts would only start anew with each byte.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}

function pinnedConnector(addresses: readonly string[]): buildConnector.connector {
  const connect = buildConnector({
    timeout: CONNECT_TIMEOUT_MS,
    lookup: pinnedLookup(addresses),
    minVersion: 'TLSv1.2',
    autoSelectFamily: true,
  });
  const allowed = toBlockList(addresses);
  return (options, callback) =>
    connect(options, (...result) => {
      const [error, socket] = result;
      if (error) return callback(error, null);
      const peer = socket.remoteAddress ?? '';
      if (allowed.check(peer, isIP(peer) === 6 ? 'ipv6' : 'ipv4')) return callback(null, socket);
      socket.destroy();
      return callback(new Error('connected to another address than the one that was checked'), null);
    });
}

/** Answers every question for a name with the addresses that were checked. Literals never ask. */
function pinnedLookup(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_hostname, options, callback) => {
    if (options.all) return callback(null, all);
    const [first] = all;
    return first ? callback(null, first.address, first.family) : callback(new Error('no address'), '', 0);
  };
}

function toBlockList(addresses: readonly string[]): BlockList {
  const list = new BlockList();
  for (const address of addresses) list.addAddress(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
  return list;
}
