import { accessSync, constants } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { freePort, KeptServers } from '@ats/domain/testing';
import { Redis } from 'ioredis';

const PASSWORD = 'of-this-test';

/**
 * A Redis server for one test, which may stop, kill and configure it. It always has the same address and data folder.
 */
export class OwnRedis {
  readonly url: string;
  /** The connection of the test itself, to inspect keys and to change settings. */
  readonly client: Redis;
  #pid: number | undefined;

  private constructor(
    private readonly servers: KeptServers,
    private readonly dir: string,
    private readonly port: number,
  ) {
    this.url = `redis://default:${PASSWORD}@127.0.0.1:${port}`;
    this.client = new Redis(this.url, {
      lazyConnect: true,
      enableReadyCheck: false,
      retryStrategy: () => 50,
      maxRetriesPerRequest: null,
    });
    this.client.on('error', () => undefined);
  }

  static async start(): Promise<OwnRedis> {
    const dir = await mkdtemp(join(tmpdir(), 'own-redis-'));
    const redis = new OwnRedis(new KeptServers(), dir, await freePort());
    await redis.start();
    return redis;
  }

  async start(settings: Readonly<Record<string, string>> = {}): Promise<void> {
    const options = {
      command: serverFile(),
      dir: this.dir,
      port: this.port,
      password: PASSWORD,
      logFile: join(this.dir, 'log'),
      settings: { appendonly: 'no', ...settings },
    };
    this.#pid = (await this.servers.tell({ start: 'redis', options })).pid;
  }

  async kill(): Promise<void> {
    await this.servers.tell({ end: this.#pid, signal: 'SIGKILL' });
    this.#pid = undefined;
  }

  /** Sends `SIGSTOP` or `SIGCONT` to the server. */
  signal(signal: NodeJS.Signals): void {
    if (this.#pid !== undefined) process.kill(this.#pid, signal);
  }

  async close(): Promise<void> {
    this.client.disconnect();
    await this.servers.close();
    await rm(this.dir, { recursive: true, force: true });
  }
}

/**
 * Returns the path of the Redis or Valkey server on `PATH`.
 * @throws when there is none
 */
function serverFile(): string {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean);
  const found = ['redis-server', 'valkey-server']
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find(isExecutable);
  if (found === undefined) throw new Error('the program redis-server was not found in the PATH');
  return found;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
