import { type Readiness, readinessOf, runHealthChecks } from '@ats/nest-app';
import { Database } from '@ats/postgres';
import { Injectable } from '@nestjs/common';
import { RedisLink } from '../config/redis-link.js';
import { Draining } from '../request/draining.js';
import { DatabaseRole } from './database-role.js';

const PING_TIMEOUT_MS = 2_000;

@Injectable()
export class HealthService {
  #hasSchema = false;

  constructor(
    private readonly database: Database,
    private readonly redis: RedisLink,
    private readonly draining: Draining,
    private readonly role: DatabaseRole,
  ) {}

  /** Checks the database, its migrations, Redis and the database role. A process that is shutting down is never ready. */
  async readiness(): Promise<Readiness> {
    const [checks, warnings] = await Promise.all([
      runHealthChecks(this.database, async () => {
        const pong = await this.redis.ask((client) => client.ping(), { timeoutMs: PING_TIMEOUT_MS });
        return pong !== undefined;
      }),
      this.role.readWarnings(),
    ]);
    this.#hasSchema ||= checks.migrations === 'up';
    const readiness = readinessOf(checks, warnings);
    return this.draining.isOn ? { ...readiness, status: 'unavailable' } : readiness;
  }

  /**
   * True from the moment when the database has all migrations until shutdown. An outage of PostgreSQL or Redis does not
   * change it, because the load balancer would then remove all processes.
   */
  async isServing(): Promise<boolean> {
    if (this.draining.isOn) return false;
    this.#hasSchema ||= await this.database.hasAllMigrations().catch(() => false);
    return this.#hasSchema;
  }
}
