import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort, KeptServers } from '@ats/domain/testing';
import pg from 'pg';
import { waitUntil } from '../../support/wait-until.js';
import { options } from './options.js';
import { type RedisKind, RedisServers } from './redis-servers.js';
import { Server } from './server.js';

/** Maximum time in ms until a new standby has all commits. */
const STANDBY_MS = 120_000;

export interface ServerSettings {
  readonly postgres?: Readonly<Record<string, string>>;
  readonly redis?: Readonly<Record<string, string>>;
  /** The topology of the Redis servers. Defaults to `single`. */
  readonly redisKind?: RedisKind;
}

/** The PostgreSQL and Redis servers of one test. No other test uses them. */
export class Servers {
  private constructor(
    private readonly keeper: KeptServers,
    readonly postgres: Server,
    readonly redisServers: RedisServers,
  ) {}

  /** The first of the Redis servers. */
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

  /**
   * Replaces the PostgreSQL server by a standby, which gets the address of the server. Until the server ends, each
   * commit waits for the standby, so the standby has all commits.
   */
  async failOver(): Promise<void> {
    const { keeper, postgres } = this;
    const dir = `${postgres.dir}-standby`;
    const slot = `standby_${randomBytes(4).toString('hex')}`;
    await keeper.tell({
      copy: { url: postgres.url, from: postgres.dir, to: dir, slot },
      standby: { dir, primaryUrl: postgres.url, slot },
    });
    const standby = postgres.at(dir, await freePort());
    await standby.start();
    await this.#run(`ALTER SYSTEM SET synchronous_standby_names = '*'`, 'SELECT pg_reload_conf()');
    await waitUntil('commits wait for the standby', STANDBY_MS, async () => {
      const [row] = await this.#run<{ is_sync: boolean }>(
        `SELECT EXISTS (SELECT FROM pg_stat_replication WHERE sync_state = 'sync') AS is_sync`,
      );
      return row?.is_sync === true;
    });
    await postgres.end('SIGQUIT');
    await standby.end('SIGINT');
    postgres.moveTo(dir);
    await postgres.start();
    await this.#run('SELECT pg_promote()');
  }

  /** Runs statements as the superuser. @returns the rows of the last statement */
  async #run<Row extends object>(...statements: readonly string[]): Promise<readonly Row[]> {
    const client = new pg.Client(this.postgres.url);
    await client.connect();
    try {
      let rows: readonly Row[] = [];
      for (const statement of statements) ({ rows } = await client.query<Row>(statement));
      return rows;
    } finally {
      await client.end();
    }
  }

  async stop(): Promise<void> {
    await this.keeper.close();
  }
}
