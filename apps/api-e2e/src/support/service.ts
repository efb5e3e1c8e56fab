import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import pg from 'pg';
import { ApiClient } from './api-client.js';
import { waitUntil } from './wait-until.js';

const ROOT = join(__dirname, '../../../..');
const START_MS = 20_000;

/** What the service is started with, beside the addresses that the tests choose. */
export type Settings = Readonly<Record<string, string>>;

/** One of the two apps as the process that operators run. */
export class App {
  #child: ChildProcess | undefined;
  #output = '';

  constructor(
    private readonly script: string,
    private readonly environment: Settings,
    private readonly healthUrl: string,
  ) {}

  /** Resolves when the app says that it is ready. */
  async start(): Promise<void> {
    this.#output = '';
    const child = spawn(process.execPath, [join(ROOT, this.script)], { env: { ...this.environment }, stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.on('data', (text: Buffer) => (this.#output += text.toString()));
    child.stderr.on('data', (text: Buffer) => (this.#output += text.toString()));
    this.#child = child;
    await waitUntil(`${this.script} is ready`, START_MS, async () => {
      if (child.exitCode !== null) throw new Error(`${this.script} ended with ${child.exitCode}:\n${this.#output}`);
      return (await fetch(this.healthUrl).catch(() => null))?.ok === true;
    });
  }

  /** Sends a signal and waits for the end. @returns the exit code, null when the signal itself ended the process */
  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
    const child = this.#child;
    this.#child = undefined;
    if (!child) return null;
    if (child.exitCode === null && child.signalCode === null) {
      const exit = once(child, 'exit');
      child.kill(signal);
      await exit;
    }
    return child.exitCode;
  }

  /** Everything it has printed since its last start. */
  get output(): string {
    return this.#output;
  }
}

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
      ALLOW_HTTP_DESTINATIONS: 'true',
      ALLOW_PRIVATE_DESTINATIONS: 'true',
      ...settings,
    };
    await run('libs/domain/dist/cli/migrate.js', environment);
    const service = new Service(
      new App('apps/api/dist/main.js', environment, `http://127.0.0.1:${port}/health/ready`),
      new App('apps/notifier/dist/main.js', environment, `http://127.0.0.1:${notifierPort}/health/ready`),
      new ApiClient(`http://127.0.0.1:${port}/api/v1`, token),
      new pg.Pool({ connectionString: databaseUrl, max: 4 }),
      new Redis(environment.REDIS_URL),
      name,
    );
    await Promise.all([service.api.start(), service.notifier.start()]);
    return service;
  }

  async stop(): Promise<void> {
    await Promise.all([this.api.end('SIGTERM'), this.notifier.end('SIGTERM'), this.redis.quit(), this.database.end()]);
    await asAdministrator((client) => client.query(`DROP DATABASE IF EXISTS ${this.databaseName} WITH (FORCE)`));
  }
}

/** Runs a command of the service to its end. @throws {Error} with its output when it fails */
export async function run(script: string, environment: Settings): Promise<string> {
  const { output, exitCode } = await runToEnd(script, environment);
  if (exitCode !== 0) throw new Error(`${script} ended with ${exitCode}:\n${output}`);
  return output;
}

export async function runToEnd(script: string, environment: Settings): Promise<{ readonly output: string; readonly exitCode: number | null }> {
  const child = spawn(process.execPath, [join(ROOT, script)], { env: { ...environment }, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.on('data', (text: Buffer) => (output += text.toString()));
  child.stderr.on('data', (text: Buffer) => (output += text.toString()));
  const [exitCode] = (await once(child, 'close')) as [number | null];
  return { output, exitCode };
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

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('a TCP server has a port');
  return address.port;
}
