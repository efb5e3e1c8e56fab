import { afterAll, beforeAll } from '@jest/globals';
import { entitySchemas, EVENT_CHANNEL } from '@ats/domain';
import { Database } from '@ats/postgres';
import { createTestDatabase, type TestDatabase, type TestDatabaseOptions } from '@ats/domain/testing';
import { createLogger, NestLogger } from '@ats/logging';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { Redis } from 'ioredis';
import { type Environment } from '../src/config/env.js';
import { LANES } from '../src/queues/queues.js';
import { NotifierModule } from '../src/notifier.module.js';
import { eventually } from './eventually.js';
import { BASE_URL, SECRET_KEY } from './fixtures.js';

/** The number of a Redis database that only the tests of this app use. A server has 16 databases. */
const REDIS_DATABASE = 9;

async function connectRedis(): Promise<Redis> {
  const url = process.env['TEST_REDIS_URL'];
  if (!url) throw new Error('TEST_REDIS_URL is not set: run this through `npm run with-services`');
  const redis = new Redis(`${url.replace(/\/$/, '')}/${REDIS_DATABASE}`);
  await redis.flushdb();
  return redis;
}

/** The stage of a spec file: a PostgreSQL database and a Redis database, and the notifiers that use them. */
export class Stage {
  private readonly apps: NestFastifyApplication[] = [];
  /** Number of Bull queues of all running apps. */
  private queues = 0;

  private constructor(
    readonly database: Database,
    readonly testDatabase: TestDatabase,
    readonly redis: Redis,
  ) {}

  static async create(options: TestDatabaseOptions = {}): Promise<Stage> {
    const testDatabase = await createTestDatabase(options);
    const database = await Database.connect({
      url: testDatabase.url,
      applicationName: 'notifier-test',
      poolSize: 5,
      // The entities are needed because specs also call rules of the API, which use TypeORM repositories.
      entities: entitySchemas(),
    });
    return new Stage(database, testDatabase, await connectRedis());
  }

  get redisUrl(): string {
    const { host, port, password, db } = this.redis.options;
    return `redis://:${password ?? ''}@${host ?? ''}:${port ?? ''}/${db ?? 0}`;
  }

  environment(overrides: Partial<Environment> = {}): Environment {
    return {
      DATABASE_URL: this.testDatabase.url,
      REDIS_URL: this.redisUrl,
      NOTIFIER_PORT: 0,
      PUBLIC_BASE_URL: BASE_URL,
      SECRET_KEY,
      ALLOW_HTTP_DESTINATIONS: true,
      ALLOW_PRIVATE_DESTINATIONS: true,
      DELIVERY_SCHEDULE: [60, 60],
      DELIVERY_RETENTION_DAYS: 30,
      EVENT_RETENTION_DAYS: 400,
      AUDIT_RETENTION_DAYS: 400,
      MAIL_SCHEDULE: [60, 60],
      LOG_LEVEL: 'silent',
      LOG_FORMAT: 'json',
      RELEASE: 'test',
      ...overrides,
    };
  }

  /** Starts a whole notifier inside this process. Resolves when it is ready. */
  async start(overrides: Partial<Environment> = {}): Promise<NestFastifyApplication> {
    const app = await this.startWithoutRedis(overrides);
    await this.whenBullWorks();
    return app;
  }

  /** Starts a whole notifier inside this process without waiting for Redis. */
  async startWithoutRedis(overrides: Partial<Environment> = {}): Promise<NestFastifyApplication> {
    const logger = createLogger({ app: 'notifier', level: overrides.LOG_LEVEL ?? 'silent' });
    const app = await NestFactory.create<NestFastifyApplication>(
      NotifierModule.with(this.environment(overrides), logger),
      new FastifyAdapter(),
      { logger: new NestLogger(logger), abortOnError: false },
    );
    this.apps.push(app);
    this.queues += LANES.length + (overrides.SMTP_URL ? 1 : 0);
    await app.init();
    return app;
  }

  /** Resolves when Bull waits for jobs. Before that, Bull cannot be closed cleanly. */
  async whenBullWorks(): Promise<void> {
    await eventually(async () => {
      // Counts only clients of this Redis database. Notifiers of other spec files use other databases of the same
      // server.
      const clients = String(await this.redis.client('LIST')).split('\n');
      const own = ` db=${this.redis.options.db ?? 0} `;
      const blocked = clients.filter((client) => client.includes(own) && / flags=\w*b/.test(client));
      if (blocked.length < this.queues) throw new Error('Bull is not ready yet');
    });
  }

  /** Tells notifiers that events were committed, as the API does. */
  async wake(): Promise<void> {
    await this.database.query(`NOTIFY ${EVENT_CHANNEL}`);
  }

  /** Stops all notifiers that this object started. */
  async stopNotifiers(): Promise<void> {
    this.queues = 0;
    await Promise.all(this.apps.splice(0).map((app) => app.close()));
  }

  async close(): Promise<void> {
    await this.stopNotifiers();
    this.redis.disconnect();
    await this.database.close();
    await this.testDatabase.drop();
  }

  /** Truncates the tables of events, topics, deliveries and e-mails. */
  async reset(): Promise<void> {
    const empty = `TRUNCATE notification_topics, notification_subscriptions, notification_deliveries,
      notification_attempts, notification_late_facts, notification_datapaths, notification_past_datapaths, notification_topic_revisions,
      notification_subscription_revisions, notification_reconciliation_findings, domain_events, communications,
        account_activations CASCADE`;
    // A running notifier may lock the tables in another order. A deadlock can then abort this statement, so it is
    // repeated.
    await eventually(() => this.database.query(empty));
    await this.database.query('UPDATE notification_index_version SET version = version + 1');
    await this.database.query('DELETE FROM notification_index_changes');
    await this.database.query(
      'UPDATE notification_reconciliation SET matched_dt = NULL, event_id = 0, topic_id = 0, is_behind = false',
    );
  }
}

/**
 * Gives a spec file its own {@link Stage}. The stage exists from the first hook to the last, so use it only inside
 * tests and hooks. Close everything that uses the stage in an `afterAll` that is declared before this call.
 */
export function useStage(options: TestDatabaseOptions = {}): Stage {
  const stage = Object.create(Stage.prototype) as Stage;
  beforeAll(async () => void Object.assign(stage, await Stage.create(options)));
  afterAll(() => stage.close());
  return stage;
}
