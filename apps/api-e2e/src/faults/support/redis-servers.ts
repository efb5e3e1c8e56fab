import { join } from 'node:path';
import { freePort, isFree, type KeptServers } from '@ats/domain/testing';
import { Redis } from 'ioredis';
import { waitUntil } from '../../support/wait-until.js';
import { options } from './options.js';
import { Server } from './server.js';

/**
 * `single` is one server. `cluster` has three masters with one replica each. `sentinel` has a master, a replica and
 * three sentinels.
 */
export type RedisKind = 'single' | 'cluster' | 'sentinel';

const MASTERS = 3;
/** The name that `tools/services/redis-sentinel.mjs` gives to the master. */
const MASTER_NAME = 'ats';
/** Each cluster node has a second port for the other nodes. It is higher than the client port by this number. */
const BUS_OFFSET = 10_000;
const IN_SYNC_MS = 180_000;

interface RedisSetup {
  readonly keeper: KeptServers;
  /** Part of the folder names, which keeps the data of different tests apart. */
  readonly name: string;
  readonly kind: RedisKind;
  readonly settings: Readonly<Record<string, string>>;
}

/** The Redis servers of one test. */
export class RedisServers {
  private constructor(
    private readonly setup: RedisSetup,
    /** All servers that store data. Sentinels store none. */
    readonly nodes: readonly Server[],
    readonly sentinels: readonly Server[],
  ) {}

  static async create(setup: RedisSetup): Promise<RedisServers> {
    const { kind } = setup;
    const nodes: Server[] = [];
    for (let index = 0; index < { single: 1, cluster: 2 * MASTERS, sentinel: 2 }[kind]; index++)
      nodes.push(makeNode(setup, index, await nodePort(kind)));
    const [master] = nodes;
    const sentinels: Server[] = [];
    for (let index = 0; kind === 'sentinel' && index < 3; index++)
      sentinels.push(makeSentinel(setup, index, await freePort(), master?.port ?? 0));
    return new RedisServers(setup, nodes, sentinels);
  }

  get first(): Server {
    const [first] = this.nodes;
    if (!first) throw new Error('this test starts no Redis server, so it has no address of one');
    return first;
  }

  /** The value of `REDIS_URL` for the apps. */
  get url(): string {
    const hosts = (servers: readonly Server[]): string => servers.map(({ port }) => `127.0.0.1:${port}`).join();
    const { password } = options;
    switch (this.setup.kind) {
      case 'single':
        return this.first.url;
      case 'cluster':
        return `redis://:${password}@${hosts(this.nodes)}?mode=cluster`;
      case 'sentinel':
        return (
          `redis://:${password}@${hosts(this.sentinels)}/0` +
          `?mode=sentinel&master=${MASTER_NAME}&sentinel_password=${password}`
        );
    }
  }

  async start(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.start()));
    const ports = this.nodes.map(({ port }) => port);
    const { password } = options;
    if (this.setup.kind === 'cluster') {
      await this.setup.keeper.tell({
        form: 'cluster',
        options: { masters: ports.slice(0, MASTERS), replicas: ports.slice(MASTERS), password },
      });
    }
    if (this.setup.kind === 'sentinel') {
      const [master, replica] = this.nodes;
      if (master && replica) await this.ask(replica, (redis) => redis.replicaof('127.0.0.1', master.port));
      await Promise.all(this.sentinels.map((sentinel) => sentinel.start()));
    }
  }

  /** Returns the node that accepts writes of a key now, or null. */
  async masterOf(key: string): Promise<Server | null> {
    for (const node of this.nodes.filter(({ isRunning }) => isRunning)) {
      const role = await this.ask(node, async (redis) => {
        await redis.exists(key);
        return (await redis.role())[0];
      }).catch(() => 'none'); // The node does not have the hash slot of the key.
      if (role === 'master') return node;
    }
    return null;
  }

  /** Returns the replicas of a master. */
  async replicasOf(master: Server): Promise<readonly Server[]> {
    const info = await this.ask(master, (redis) => redis.info('replication'));
    return this.nodes.filter(({ port }) => info.includes(`port=${port},`));
  }

  /** Resolves when every replica has all writes. A test must wait for this before it stops a master again. */
  async inSync(): Promise<void> {
    const masters = { single: 1, cluster: MASTERS, sentinel: 1 }[this.setup.kind];
    await waitUntil('replicas are in sync', IN_SYNC_MS, async () => {
      const infos = await Promise.all(
        this.nodes.map((node) => this.ask(node, (redis) => redis.info('replication')).catch(() => '')),
      );
      const count = (text: string): number => infos.filter((info) => info.includes(text)).length;
      return count('role:master') === masters && count('master_link_status:up') === this.nodes.length - masters;
    });
  }

  /** Sends commands to one node, whether it is master or replica. */
  async ask<T>(node: Server, work: (redis: Redis) => Promise<T>): Promise<T> {
    const redis = new Redis({
      host: '127.0.0.1',
      port: node.port,
      password: options.password,
      maxRetriesPerRequest: 0,
      retryStrategy: null,
      commandTimeout: 10_000,
    });
    redis.on('error', () => undefined);
    try {
      return await work(redis);
    } finally {
      redis.disconnect();
    }
  }
}

function makeNode({ keeper, name, kind, settings }: RedisSetup, index: number, port: number): Server {
  const { password, redisCommand: command, dir, logs } = options;
  const all = {
    appendonly: 'no',
    ...(kind === 'sentinel' && { masterauth: password, 'repl-diskless-sync-delay': '0' }),
    ...settings,
  };
  return new Server(
    keeper,
    kind === 'cluster' ? 'cluster-node' : 'redis',
    {
      command,
      dir: join(dir, `redis-${name}-${index}`),
      port,
      password,
      logFile: join(logs, 'redis.log'),
      settings: all,
    },
    `redis://default:${password}@127.0.0.1:${port}`,
  );
}

function makeSentinel({ keeper, name }: RedisSetup, index: number, port: number, masterPort: number): Server {
  const { password, redisCommand: command, dir, logs } = options;
  const logFile = join(logs, 'sentinel.log');
  return new Server(
    keeper,
    'sentinel',
    { command, dir: join(dir, `sentinel-${name}-${index}`), port, masterPort, password, logFile, settings: {} },
    '',
  );
}

/** Finds a free port. For a cluster node, the port that is higher by {@link BUS_OFFSET} is free, too. */
async function nodePort(kind: RedisKind): Promise<number> {
  for (;;) {
    const port = await freePort();
    if (kind !== 'cluster' || (port + BUS_OFFSET < 65_536 && (await isFree(port + BUS_OFFSET)))) return port;
  }
}
