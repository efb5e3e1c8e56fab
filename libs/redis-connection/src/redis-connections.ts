import { Cluster, type ClusterOptions, type CommonRedisOptions, Redis } from 'ioredis';
import { PromptCluster } from './prompt-cluster.js';
import { type RedisHost, type RedisServers } from './redis-url.js';

/**
 * A client of one server or of a cluster. In a cluster, all keys of a command must be in the same hash slot, for
 * example because they have the same `{part}` in braces.
 */
export type RedisClient = Redis | Cluster;

/** Decides how long a client waits for a server. */
export interface RedisPatience {
  /**
   * How often a command is repeated when its connection is lost. With 0, a command also fails at once while there is no
   * connection. With `endless` it waits without limit. With 0 or 1, a command to a cluster also fails at once while the
   * client has found no node.
   */
  readonly retries: 0 | 1 | 'endless';
  /** Milliseconds after which a command without an answer fails. It must not be set for blocking commands. */
  readonly commandTimeoutMs?: number;
}

const LONGEST_RECONNECT_MS = 1_000;
const CONNECT_TIMEOUT_MS = 5_000;
/**
 * Maximum time in ms without data from a server that has a command to answer. Then the client closes the connection,
 * because the server hangs or its network failed. Blocking commands must wait for less than this time.
 */
const SILENCE_MS = 15_000;
/**
 * Interval in ms at which a client requests the list of the nodes of a cluster. A node that hangs cannot report that
 * another node has replaced it.
 */
const LOOK_FOR_NODES_MS = 5_000;
const SENTINEL_TIMEOUT_MS = 2_000;

/**
 * Clears the socket timer of a lost connection. Otherwise it would end the next connection and keep the process alive
 * (redis/ioredis#2147, fixed in later versions).
 */
function clearTimerOnClose(redis: Redis): void {
  redis.on('close', () => {
    const timed = redis as unknown as { socketTimeoutTimer: NodeJS.Timeout | undefined };
    clearTimeout(timed.socketTimeoutTimer);
    timed.socketTimeoutTimer = undefined;
  });
}

/**
 * Clears the socket timer of each lost connection to a cluster node. Short extra connections read the list of nodes.
 * They get no socket timer, because they have a time limit of their own.
 */
function clearTimersOfNode(node: Redis): void {
  clearTimerOnClose(node);
  const duplicate = node.duplicate.bind(node);
  node.duplicate = (override) => duplicate({ ...override, socketTimeout: undefined });
}

/**
 * Opens the Redis connections of a process, and closes them all at the end. Users of a client must handle its `error`
 * events.
 */
export class RedisConnections {
  private readonly clients: RedisClient[] = [];
  private isClosed = false;

  constructor(private readonly servers: RedisServers) {}

  /** Creates a client and begins to connect. Its `status` is `ready` while it can send commands. */
  create(patience: RedisPatience): RedisClient {
    const client = this.connect(patience);
    if (client instanceof Redis) clearTimerOnClose(client);
    else client.on('+node', clearTimersOfNode);
    this.clients.push(client);
    return client;
  }

  /** Closes all connections at once and for good, including those that wait to reconnect. */
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
      // READONLY means that the server has become a replica. The client reconnects, because the address or the
      // sentinels now name the new primary.
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
      // Returns the host name unresolved. Each connection resolves its own name, so that an unknown name does not block
      // the other nodes. TLS also needs the name to check the certificate.
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
  // Without the ready check, ioredis sets the status `ready` after it has sent the client info, even if the connection
  // was lost meanwhile. So the client info is not sent.
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
