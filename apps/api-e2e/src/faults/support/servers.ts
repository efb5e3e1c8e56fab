import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort, KeptServers } from '@ats/domain/testing';
import { options } from './options.js';
import { type RedisKind, RedisServers } from './redis-servers.js';
import { Server } from './server.js';

export interface ServerSettings {
  readonly postgres?: Readonly<Record<string, string>>;
  readonly redis?: Readonly<Record<string, string>>;
  /** Defaults to `single`. */
  readonly redisKind?: RedisKind;
}

/** The PostgreSQL and Redis servers of one test. No other test uses them. */
export class Servers {
  private constructor(
    private readonly keeper: KeptServers,
    readonly postgres: Server,
    readonly redisServers: RedisServers,
  ) {}

  /** The first Redis server. */
  get redis(): Server {
    return this.redisServers.first;
  }

  static async start({ postgres = {}, redis = {}, redisKind = 'single' }: ServerSettings = {}): Promise<Servers> {
    const keeper = new KeptServers();
    const name = randomBytes(6).toString('hex');
    const { password, logs } = options;
    const postgresPort = await freePort();
    const postgresDir = join(options.dir, `postgres-${name}`);
    await promisify(execFile)('cp', ['-a', options.cluster, postgresDir]);
    const servers = new Servers(
      keeper,
      new Server(
        keeper,
        'postgres',
        {
          dir: postgresDir,
          port: postgresPort,
          password,
          logFile: join(logs, 'postgres.log'),
          settings: { ...options.clusterSettings, ...postgres },
        },
        `postgresql://ats:${password}@127.0.0.1:${postgresPort}/ats`,
      ),
      await RedisServers.create({ keeper, name, kind: redisKind, settings: redis }),
    );
    await Promise.all([servers.postgres.start(), servers.redisServers.start()]);
    return servers;
  }

  async stop(): Promise<void> {
    await this.keeper.close();
  }
}
