import { randomBytes } from 'node:crypto';
import { freePort, createTestDatabase, type TestDatabase } from '@ats/domain/testing';
import { Redis } from 'ioredis';
import pg from 'pg';
import { ApiClient } from './api-client.js';
import { App, run, type Settings } from './app.js';
import { ProcessKiller } from './process-killer.js';
import { type Kind } from './progress.js';
import { Proxy } from './proxy.js';
import { RetryingClient } from './retrying-client.js';
import { runLogFolder } from './run-log.js';
import { waitUntil } from './wait-until.js';

/** The shape of a service: the number of processes of each kind. Several APIs run behind a proxy. */
export interface Shape {
  readonly apis: number;
  readonly notifiers: number;
  /** True when processes of each kind are killed and restarted at random moments, from the start of the service on. */
  readonly isKilled?: boolean;
}

/** The shape with one API and one notifier. */
export const SINGLE: Shape = { apis: 1, notifiers: 1 };
export const FLEET: Shape = { apis: 2, notifiers: 2 };
export const KILLED_FLEET: Shape = { ...FLEET, isKilled: true };

/**
 * True in `npm run test:fleet`, which runs each test that names no {@link Shape} with several processes that are
 * killed.
 */
const isFleetRun = process.env['E2E_FLEET'] === '1';
/** Maximum number of kills of each kind in a normal run. It is limited, because each kill costs a restart. */
const MAX_KILLS = isFleetRun ? Infinity : 2;

/** The whole service on a database of its own: the processes of both apps, and a client with every scope. */
export class Service {
  private constructor(
    readonly apis: readonly App[],
    readonly notifiers: readonly App[],
    /** The proxy in front of the APIs. Absent when there is only one API. */
    private readonly proxyInFront: Proxy | undefined,
    readonly client: ApiClient,
    readonly database: pg.Pool,
    readonly redis: Redis,
    private readonly testDatabase: TestDatabase,
    private readonly isKilled: boolean,
  ) {}

  /** The first API. In the shape {@link SINGLE} it is the only one. */
  get api(): App {
    return first(this.apis);
  }

  /** The first notifier. In the shape {@link SINGLE} it is the only one. */
  get notifier(): App {
    return first(this.notifiers);
  }

  get databaseUrl(): string {
    return this.testDatabase.url;
  }

  get proxy(): Proxy {
    if (!this.proxyInFront) throw new Error('there is no proxy, because this service was started with one API process');
    return this.proxyInFront;
  }

  /** Ends and restarts APIs and notifiers at random moments, once it is started. */
  readonly killer = new ProcessKiller({ api: this.apis, notifier: this.notifiers }, MAX_KILLS);

  /** Returns the output of all processes of a kind, including killed ones. */
  outputOf(kind: Kind): string {
    return (kind === 'api' ? this.apis : this.notifiers).map(({ allOutput }) => allOutput).join('\n');
  }

  /** Stops the killer and ends all notifiers. @returns their exit codes */
  async endNotifiers(signal: 'SIGTERM' | 'SIGKILL'): Promise<readonly (number | null)[]> {
    await this.killer.stop();
    return Promise.all(this.notifiers.map((app) => app.end(signal)));
  }

  async startNotifiers(): Promise<void> {
    await Promise.all(this.notifiers.map((app) => app.start()));
    this.resumeKilling();
  }

  /** Starts the kills again, if the service was started with `isKilled`. */
  resumeKilling(): void {
    if (this.isKilled) this.killer.start();
  }

  static async start(settings: Settings = {}, shape = isFleetRun ? KILLED_FLEET : SINGLE): Promise<Service> {
    const testDatabase = await createTestDatabase();
    const ports = { apis: await freePorts(shape.apis), notifiers: await freePorts(shape.notifiers) };
    const proxy = shape.apis > 1 ? await Proxy.start(ports.apis.map(urlOf)) : undefined;
    const url = proxy?.url ?? urlOf(first(ports.apis));
    const databaseUrl = testDatabase.url;
    const token = `ats_EndToEnd_${randomBytes(32).toString('base64url')}`;
    const environment = {
      PATH: process.env['PATH'] ?? '',
      DATABASE_URL: databaseUrl,
      REDIS_URL: required('TEST_REDIS_URL'),
      PUBLIC_BASE_URL: url,
      SECRET_KEY: randomBytes(32).toString('hex'),
      BOOTSTRAP_TOKEN: token,
      RATE_LIMIT: '0',
      ALLOW_HTTP_DESTINATIONS: 'true',
      ALLOW_PRIVATE_DESTINATIONS: 'true',
      // The process drains for longer than many health checks of the proxy, so that the proxy notices its shutdown.
      ...(proxy && { DRAIN_SECONDS: '3' }),
      // Logs everything, because the run searches all log lines for secrets.
      ...(runLogFolder() && { LOG_LEVEL: 'trace' }),
      ...settings,
    };
    // Creates the first credential. The template database already has all migrations.
    await run('libs/domain/dist/cli/migrate.js', environment);
    const service = new Service(
      ports.apis.map(
        (port) =>
          new App({
            script: 'apps/api/dist/main.js',
            environment: { ...environment, DATABASE_URL: testDatabase.apiUrl, PORT: String(port) },
            url: urlOf(port),
          }),
      ),
      ports.notifiers.map(
        (port) =>
          new App({
            script: 'apps/notifier/dist/main.js',
            environment: { ...environment, NOTIFIER_PORT: String(port) },
            url: urlOf(port),
          }),
      ),
      proxy,
      new (proxy ? RetryingClient : ApiClient)(`${url}/api/v1`, token),
      new pg.Pool({ connectionString: databaseUrl, max: 4 }),
      new Redis(environment.REDIS_URL),
      testDatabase,
      shape.isKilled === true,
    );
    try {
      await Promise.all([...service.apis, ...service.notifiers].map((app) => app.start()));
      if (proxy) await waitUntil('the proxy sees all APIs serving', 60_000, () => proxy.areAllServing);
      service.resumeKilling();
    } catch (error) {
      // Ends the processes also after an error. They would otherwise outlive the tests.
      await service.stop();
      throw error;
    }
    return service;
  }

  /**
   * Ends the service.
   * @throws {Error} when a process did not start again, or when a kind of process was never killed with SIGKILL
   */
  async stop(): Promise<void> {
    if (this.killer.kills.length > 0) console.log(String(this.killer));
    const killerStopped = this.killer.stop();
    // Ignores an error of the process killer here. It is thrown again when everything is closed.
    await killerStopped.catch(() => undefined);
    await Promise.all([
      ...[...this.apis, ...this.notifiers].map((app) => app.end('SIGTERM')),
      this.redis.quit(),
      this.database.end(),
      this.proxyInFront?.stop(),
    ]);
    await this.testDatabase.drop();
    await killerStopped;
    const spared = (['api', 'notifier'] as const).filter((kind) => this.killer.count(kind, 'SIGKILL') === 0);
    if (this.isKilled && spared.length > 0)
      throw new Error(`the test must kill processes of both apps, but killed no ${spared.join(' and no ')}`);
  }
}

const urlOf = (port: number): string => `http://127.0.0.1:${port}`;

function first<T>(items: readonly T[]): T {
  const [item] = items;
  if (item === undefined) throw new Error('this service was started without a process of the requested app');
  return item;
}

async function freePorts(count: number): Promise<readonly number[]> {
  const ports: number[] = [];
  while (ports.length < count) ports.push(await freePort());
  return ports;
}

function required(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run this through npm test`);
  return value;
}
