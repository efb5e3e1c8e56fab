import { randomBytes } from 'node:crypto';
import { createTestDatabase, type TestDatabase } from '@ats/domain/testing';
import { Redis } from 'ioredis';
import pg from 'pg';
import { ApiClient } from './api-client.js';
import { App, type Settings } from './app.js';
import { freePort } from './free-port.js';
import { Killer } from './killer.js';
import { PersistentClient } from './persistent-client.js';
import { type Kind } from './progress.js';
import { Proxy } from './proxy.js';
import { runLogFolder } from './run-log.js';
import { waitUntil } from './wait-until.js';

/** How many processes there are. More than one API is behind a proxy. */
export interface Shape {
  readonly apis: number;
  readonly notifiers: number;
  /** One of each kind is killed and started again all the time, from the beginning. */
  readonly isKilled?: boolean;
}

/** What is looked at is what a single process does. */
export const ALONE: Shape = { apis: 1, notifiers: 1 };
export const FLEET: Shape = { apis: 2, notifiers: 2 };
export const KILLED_FLEET: Shape = { ...FLEET, isKilled: true };

/** Whether every test that promises something of the service as a whole runs against a fleet that is killed: `npm run test:fleet`. */
const areAllKilled = process.env['E2E_FLEET'] === '1';
/** Otherwise a few deaths of each kind are enough: each costs a start. */
const MOST_KILLS = areAllKilled ? Infinity : 2;

/** The whole service on a database of its own: API, notifier, and a client with every scope. */
export class Service {
  private constructor(
    readonly apis: readonly App[],
    readonly notifiers: readonly App[],
    /** In front of the APIs, where there are several. */
    private readonly proxyInFront: Proxy | undefined,
    readonly client: ApiClient,
    readonly database: pg.Pool,
    readonly redis: Redis,
    private readonly testDatabase: TestDatabase,
    private readonly isKilled: boolean,
  ) {}

  /** Of one API and one notifier: those. */
  get api(): App {
    return first(this.apis);
  }

  get notifier(): App {
    return first(this.notifiers);
  }

  get proxy(): Proxy {
    if (!this.proxyInFront) throw new Error('a single API has no proxy in front of it');
    return this.proxyInFront;
  }

  /** Ends one API and one notifier at random moments, and starts them again, once it is started itself. */
  readonly killer = new Killer({ api: this.apis, notifier: this.notifiers }, MOST_KILLS);

  /** What all processes of a kind have printed, those that have died too. */
  outputOf(kind: Kind): string {
    return (kind === 'api' ? this.apis : this.notifiers).map(({ allOutput }) => allOutput).join('\n');
  }

  /** Ends all notifiers, and nobody else is killed until they are started again. @returns their exit codes */
  async endNotifiers(signal: 'SIGTERM' | 'SIGKILL'): Promise<readonly (number | null)[]> {
    await this.killer.stop();
    return Promise.all(this.notifiers.map((app) => app.end(signal)));
  }

  async startNotifiers(): Promise<void> {
    await Promise.all(this.notifiers.map((app) => app.start()));
    this.goOnKilling();
  }

  /** After the killer was stopped for something that needs quiet. */
  goOnKilling(): void {
    if (this.isKilled) this.killer.start();
  }

  static async start(settings: Settings = {}, shape = areAllKilled ? KILLED_FLEET : ALONE): Promise<Service> {
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
      // Longer than two of the proxy's checks.
      ...(proxy && { DRAIN_SECONDS: '1' }),
      // What is not logged at this level is not logged at any.
      ...(runLogFolder() && { LOG_LEVEL: 'trace' }),
      ...settings,
    };
    const service = new Service(
      ports.apis.map(
        (port) =>
          new App({
            script: 'apps/api/dist/main.js',
            environment: { ...environment, PORT: String(port) },
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
      new (proxy ? PersistentClient : ApiClient)(`${url}/api/v1`, token),
      new pg.Pool({ connectionString: databaseUrl, max: 4 }),
      new Redis(environment.REDIS_URL),
      testDatabase,
      shape.isKilled === true,
    );
    try {
      await Promise.all([...service.apis, ...service.notifiers].map((app) => app.start()));
      if (proxy) await waitUntil('the proxy knows all APIs', 10_000, () => proxy.isWhole);
      service.goOnKilling();
    } catch (error) {
      // A process that is left behind would outlive the tests.
      await service.stop();
      throw error;
    }
    return service;
  }

  /** @throws {Error} when somebody who was to be killed was not, or did not come back */
  async stop(): Promise<void> {
    if (this.killer.kills.length > 0) console.log(String(this.killer));
    const calm = this.killer.stop();
    // Its failure is told after everything has been closed.
    await calm.catch(() => undefined);
    await Promise.all([
      ...[...this.apis, ...this.notifiers].map((app) => app.end('SIGTERM')),
      this.redis.quit(),
      this.database.end(),
      this.proxyInFront?.stop(),
    ]);
    await this.testDatabase.drop();
    await calm;
    const spared = (['api', 'notifier'] as const).filter((kind) => this.killer.count(kind, 'SIGKILL') === 0);
    if (this.isKilled && spared.length > 0)
      throw new Error(`nothing was tried: no ${spared.join(', no ')} was killed at its work`);
  }
}

const urlOf = (port: number): string => `http://127.0.0.1:${port}`;

function first<T>(of: readonly T[]): T {
  const [one] = of;
  if (one === undefined) throw new Error('there is at least one');
  return one;
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
