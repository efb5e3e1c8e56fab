import { Database } from '@ats/postgres';
import { Injectable } from '@nestjs/common';
import { RedisLink } from '../config/redis-link.js';
import { Draining } from '../request/draining.js';

const CHECK_TIMEOUT_MS = 2_000;

@Injectable()
export class HealthService {
  #hasSchema = false;

  constructor(
    private readonly database: Database,
    private readonly redis: RedisLink,
    private readonly draining: Draining,
  ) {}

  /** Checks the database, its migrations and Redis. */
  async check(): Promise<Readonly<Record<'database' | 'migrations' | 'redis', 'up' | 'down'>>> {
    const [database, migrations, redis] = await Promise.all([
      isUp(this.database.query('SELECT 1')),
      isUp(
        this.database
          .hasAllMigrations()
          .then((hasAll) => (hasAll ? true : Promise.reject(new Error('migrations are missing')))),
      ),
      this.redis
        .ask((client) => client.ping(), { timeoutMs: CHECK_TIMEOUT_MS })
        .then((pong) => (pong === undefined ? 'down' : 'up')),
    ]);
    this.#hasSchema ||= migrations === 'up';
    return { database, migrations, redis };
  }

  /**
   * True from the moment when the database has all migrations until shutdown. It stays true when a server becomes
   * unavailable later: otherwise the load balancer would remove all processes.
   */
  async isServing(): Promise<boolean> {
    if (this.draining.isOn) return false;
    this.#hasSchema ||= await this.database.hasAllMigrations().catch(() => false);
    return this.#hasSchema;
  }

  get isEnding(): boolean {
    return this.draining.isOn;
  }
}

const isUp = (check: Promise<unknown>): Promise<'up' | 'down'> =>
  check.then(
    () => 'up',
    () => 'down',
  );
