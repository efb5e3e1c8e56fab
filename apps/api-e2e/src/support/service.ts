import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import pg from 'pg';
import { ApiClient } from './api-client.js';
import { App, run, type Settings } from './app.js';
import { freePort } from './free-port.js';

/** The whole service on a database of its own: API, notifier, and a client with every scope. */
export class Service {
  private constructor(
    readonly api: App,
    readonly notifier: App,
    readonly client: ApiClient,
    readonly database: pg.Pool,
    readonly redis: Redis,
    private readonly databaseName: string,
  ) {}

  static async start(settings: Settings = {}): Promise<Service> {
    const name = `ats_e2e_${randomBytes(6).toString('hex')}`;
    await asAdministrator((client) => client.query(`CREATE DATABASE ${name}`));
    const [port, notifierPort] = [await freePort(), await freePort()];
    const databaseUrl = Object.assign(new URL(required('TEST_DATABASE_URL')), { pathname: `/${name}` }).href;
    const token = `ats_EndToEnd_${randomBytes(32).toString('base64url')}`;
    const environment = {
      PATH: process.env['PATH'] ?? '',
      DATABASE_URL: databaseUrl,
      REDIS_URL: required('TEST_REDIS_URL'),
      PORT: String(port),
      NOTIFIER_PORT: String(notifierPort),
      PUBLIC_BASE_URL: `http://127.0.0.1:${port}`,
      SECRET_KEY: randomBytes(32).toString('hex'),
      BOOTSTRAP_TOKEN: token,
      RATE_LIMIT: '0',
      ALLOW_HTTP_DESTINATIONS: 'true',
      ALLOW_PRIVATE_DESTINATIONS: 'true',
      ...settings,
    };
    await run('libs/domain/dist/cli/migrate.js', environment);
    const service = new Service(
      new App({ script: 'apps/api/dist/main.js', environment, url: `http://127.0.0.1:${port}` }),
      new App({ script: 'apps/notifier/dist/main.js', environment, url: `http://127.0.0.1:${notifierPort}` }),
      new ApiClient(`http://127.0.0.1:${port}/api/v1`, token),
      new pg.Pool({ connectionString: databaseUrl, max: 4 }),
      new Redis(environment.REDIS_URL),
      name,
    );
    try {
      await Promise.all([service.api.start(), service.notifier.start()]);
    } catch (error) {
      // A process that is left behind would outlive the tests.
      await service.stop();
      throw error;
    }
    return service;
  }

  async stop(): Promise<void> {
    await Promise.all([this.api.end('SIGTERM'), this.notifier.end('SIGTERM'), this.redis.quit(), this.database.end()]);
    await asAdministrator((client) => client.query(`DROP DATABASE IF EXISTS ${this.databaseName} WITH (FORCE)`));
  }
}

function required(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run this through npm test`);
  return value;
}

async function asAdministrator(work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: required('TEST_DATABASE_URL') });
  await client.connect();
  await work(client).finally(() => client.end());
}
