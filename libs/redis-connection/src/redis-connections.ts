import { Cluster, type ClusterOptions, type CommonRedisOptions, Redis } from 'ioredis';
import { PromptCluster } from './prompt-cluster.js';
import { type RedisHost, type RedisServers } from './redis-url.js';

/** Commands are the same on both; in a cluster all keys of one command must be in one slot (braces: `{part}:rest`). */
export type RedisClient = Redis | Cluster;

export interface RedisPatience {
  /**
   * How often a command is tried again when its connection is lost. With 0 it also fails at once while there is no connection;
   * `endless` waits as long as it takes. A client of a cluster that does not wait without end fails at once, too, while it knows none.
   */
  readonly retries: 0 | 1 | 'endless';
  /** Milliseconds after which a command fails that has no answer; not for commands that wait for something. */
  readonly commandTimeoutMs?: number;
}

const LONGEST_RECONNECT_MS = 1_000;
const CONNECT_TIMEOUT_MS = 5_000;
/** An answer that has not begun by then does not come: the server hangs, or its network is gone. Commands that wait for something wait less. */
const SILENCE_MS = 15_000;
/** A node that hangs does not say that another has taken its place. */
const LOOK_FOR_NODES_MS = 5_000;
const SENTINEL_TIMEOUT_MS = 2_000;

/** The timer of a connection that was lost would end the next one, and keep the process from its end (redis/ioredis#2147, mended in later versions). */
function clearTimerOnClose(redis: Redis): void {
  redis.on('close', () => {
    const timed = redis as unknown as { socketTimeoutTimer: NodeJS.Timeout | undefined };
    clearTimeout(timed.socketTimeoutTimer);
    timed.socketTimeoutTimer = undefined;
  });
}

/** The same for a node of a cluster; and the short connections by which the cluster is asked for its nodes have a limit of their own. */
function clearTimersOfNode(node: Redis): void {
  clearTimerOnClose(node);
  const duplicate = node.duplicate.bind(node);
  node.duplicate = (override) => duplicate({ ...override, socketTimeout: undefined });
}

/** Makes the connections of a process to its Redis, and closes them all. Whoever takes one listens to its `error` events. */
export class RedisConnections {
  private readonly clients: RedisClient[] = [];
  private isClosed = false;

  constructor(private readonly servers: RedisServers) {}

  /** A client that begins to connect. Its `status` is `ready` while commands get through. */
  create(patience: RedisPatience): RedisClient {
    const client = this.connect(patience);
    if (client instanceof Redis) clearTimerOnClose(client);
    else client.on('+node', clearTimersOfNode);
    this.clients.push(client);
    return client;
  }

  /** For good and at once, whatever is under way: also what was about to connect again. */
  close(): void {
    this.isClosed = true;
    for (const client of this.clients) client.disconnect();
  }

  private connect(patience: RedisPatience): RedisClient {
    const { servers } = this;
    const options = { ...accessOptions(servers), ...patienceOptions(patience), ...COMMON };
    switch (servers.mode) {
      case 'single':
        return new Redis({ ...options, ...this.reconnecting(patience), ...servers.host, db: servers.database });
      case 'sentinel':
        return new Redis({
          ...options,
          ...this.reconnecting(patience),
          db: servers.database,
          sentinels: [...servers.sentinels],
          name: servers.master,
          sentinelUsername: servers.sentinelUsername,
          sentinelPassword: servers.sentinelPassword,
          sentinelCommandTimeout: SENTINEL_TIMEOUT_MS,
          sentinelRetryStrategy: delayOf,
          ...(servers.isEncrypted && { enableTLSForSentinelMode: true, sentinelTLS: {} }),
        });
      case 'cluster':
        return this.connectToCluster(servers.hosts, options, patience);
    }
  }

  private reconnecting({
    retries,
  }: RedisPatience): Pick<CommonRedisOptions, 'enableOfflineQueue' | 'retryStrategy' | 'reconnectOnError'> {
    return {
      enableOfflineQueue: retries !== 0,
      retryStrategy: (times) => (this.isClosed ? null : delayOf(times)),
      // The server has become a replica: the address, or the sentinels, know by now who took its place.
      reconnectOnError: ({ message }) => message.includes('READONLY'),
    };
  }

  private connectToCluster(
    hosts: readonly RedisHost[],
    redisOptions: CommonRedisOptions,
    { retries }: RedisPatience,
  ): Cluster {
    const options: ClusterOptions = {
      redisOptions,
      clusterRetryStrategy: (times) => (this.isClosed ? null : delayOf(times)),
      // Names stay names: one that is not known today does not keep us from the other nodes, and certificates are made out to names.
      dnsLookup: (host, callback) => callback(null, host),
      slotsRefreshInterval: LOOK_FOR_NODES_MS,
      ...(retries === 0 && { retryDelayOnFailover: 0, retryDelayOnClusterDown: 0 }),
    };
    return retries === 'endless' ? new Cluster([...hosts], options) : new PromptCluster([...hosts], options);
  }
}

const delayOf = (times: number): number => Math.min(100 * times, LONGEST_RECONNECT_MS);

const COMMON: CommonRedisOptions & { readonly family: number } = {
  family: 0,
  connectTimeout: CONNECT_TIMEOUT_MS,
  socketTimeout: SILENCE_MS,
  enableReadyCheck: false,
  // Without the check, ioredis says ready when this is through: after a connection that was lost meanwhile, and for good.
  disableClientInfo: true,
};

function accessOptions({
  isEncrypted,
  username,
  password,
}: RedisServers): Pick<CommonRedisOptions, 'username' | 'password'> & { readonly tls?: object } {
  return { username, password, ...(isEncrypted && { tls: {} }) };
}

const patienceOptions = ({ retries, commandTimeoutMs }: RedisPatience): CommonRedisOptions => ({
  maxRetriesPerRequest: retries === 'endless' ? null : retries,
  commandTimeout: commandTimeoutMs,
});
