import { randomBytes } from 'node:crypto';
import { chownSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, dirOfServers, KeptServers } from '@ats/domain/testing';
import pg from 'pg';
import { waitUntil } from './wait-until.js';

const PASSWORD = 'archived';

/**
 * A PostgreSQL server that archives its write-ahead log, as `docs/operations.md` describes. A test can destroy it and
 * restore it from the base backup and the archive.
 */
export class ArchivedServer {
  #pid: number | undefined;

  private constructor(
    private readonly servers: KeptServers,
    private readonly dir: string,
    private readonly port: number,
  ) {}

  static async start(): Promise<ArchivedServer> {
    const dir = join(await dirOfServers(), `archived-${randomBytes(4).toString('hex')}`);
    mkdirSync(dir, { mode: 0o755 });
    const server = new ArchivedServer(new KeptServers(), dir, await freePort());
    await server.#startOn('primary', server.port, {
      archive_mode: 'on',
      archive_command: `test ! -f ${server.#archive}/%f && cp %p ${server.#archive}/%f`,
    });
    server.#makeArchive();
    return server;
  }

  url(database: string): string {
    return `postgresql://ats:${PASSWORD}@127.0.0.1:${this.port}/${database}`;
  }

  /** Makes a base backup while the server runs. */
  async backUp(): Promise<void> {
    await this.servers.tell({
      copy: {
        url: this.url('postgres'),
        from: join(this.dir, 'primary'),
        to: join(this.dir, 'backup'),
        waitForArchive: true,
      },
    });
  }

  async run<Row extends object>(database: string, text: string): Promise<Row[]> {
    const client = new pg.Client(this.url(database));
    await client.connect();
    try {
      return (await client.query<Row>(text)).rows;
    } finally {
      await client.end();
    }
  }

  /** Resolves when the archive has all changes that were committed before the call. */
  async archiveAll(): Promise<void> {
    const [wanted] = await this.run<{ file: string }>('postgres', 'SELECT pg_walfile_name(pg_switch_wal()) AS file');
    await waitUntil('the log is in the archive', 100_000, async () => {
      const [archived] = await this.run<{ file: string | null }>(
        'postgres',
        'SELECT last_archived_wal AS file FROM pg_stat_archiver',
      );
      return (archived?.file ?? '') >= (wanted?.file ?? '');
    });
  }

  /**
   * Kills the server. Restores the backup and the archive up to the time `moment`, and starts a server from them on the
   * same port.
   */
  async loseAndRestore(moment: string): Promise<void> {
    await this.servers.tell({ end: this.#pid, signal: 'SIGKILL' });
    const settings = { restore_command: `cp ${this.#archive}/%f %p`, recovery_target_time: moment };
    await this.servers.tell({ restored: { dir: join(this.dir, 'backup'), settings } });
    await this.#startOn('backup', this.port, {});
    await waitUntil('the restored server takes writes', 100_000, async () => {
      const [row] = await this.run<{ is: boolean }>('postgres', 'SELECT pg_is_in_recovery() AS is').catch(() => []);
      return row?.is === false;
    });
  }

  async stop(): Promise<void> {
    await this.servers.close();
  }

  get #archive(): string {
    return join(this.dir, 'archive');
  }

  /** Makes the operating system account of the server the owner of the archive folder. */
  #makeArchive(): void {
    mkdirSync(this.#archive, { mode: 0o700 });
    const { uid, gid } = statSync(join(this.dir, 'primary'));
    chownSync(this.#archive, uid, gid);
  }

  async #startOn(name: string, port: number, settings: Readonly<Record<string, string>>): Promise<void> {
    const options = {
      dir: join(this.dir, name),
      port,
      password: PASSWORD,
      logFile: join(this.dir, 'postgres.log'),
      settings: { fsync: 'off', ...settings },
    };
    this.#pid = (await this.servers.tell({ start: 'postgres', options })).pid;
  }
}
