import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { freePort } from '@ats/postgres/testing';
import pg from 'pg';
import { dirOfServers, KeptServers } from './kept-servers.js';

const PASSWORD = 'replicated';
/**
 * With these settings, a commit returns before it is in the log on disk. This is the hardest case for code that
 * compares log positions.
 */
const SETTINGS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };
/** With these settings, the replica cancels a statement at once when it conflicts with the replay of the log. */
const REPLICA_SETTINGS = { ...SETTINGS, max_standby_streaming_delay: '0', hot_standby_feedback: 'off' };

interface Member {
  readonly dir: string;
  readonly port: number;
}

/** A separate PostgreSQL server with a streaming replica, beside the servers of the test run. */
export class ReplicatedServer {
  #replicaPid: number | undefined;

  private constructor(
    private readonly servers: KeptServers,
    private readonly primary: Member,
    private readonly replica: Member,
    private readonly logFile: string,
  ) {}

  static async start(): Promise<ReplicatedServer> {
    const dir = await dirOfServers();
    const name = randomBytes(4).toString('hex');
    const member = async (role: string): Promise<Member> => ({
      dir: join(dir, `${role}-${name}`),
      port: await freePort(),
    });
    const made = new ReplicatedServer(
      new KeptServers(),
      await member('primary'),
      await member('replica'),
      join(dir, `replication-${name}.log`),
    );
    await made.#startMember(made.primary, SETTINGS);
    await made.copyPrimary();
    await made.startReplica();
    return made;
  }

  /** The URL of a database. @param role defaults to the primary */
  url(database: string, role: 'primary' | 'replica' = 'primary'): string {
    return `postgresql://ats:${PASSWORD}@127.0.0.1:${this[role].port}/${database}`;
  }

  async copyPrimary(): Promise<void> {
    const standby = { dir: this.replica.dir, primaryUrl: this.url('postgres'), slot: 'replica' };
    await this.servers.tell({
      copy: { url: this.url('postgres'), from: this.primary.dir, to: this.replica.dir, slot: standby.slot },
      standby,
    });
  }

  async startReplica(): Promise<void> {
    this.#replicaPid = await this.#startMember(this.replica, REPLICA_SETTINGS);
  }

  async endReplica(signal: NodeJS.Signals): Promise<void> {
    await this.servers.tell({ end: this.#replicaPid, signal });
  }

  /** Runs one statement as the superuser. */
  async run<Row extends object>(role: 'primary' | 'replica', text: string, database = 'postgres'): Promise<Row[]> {
    const client = new pg.Client(this.url(database, role));
    await client.connect();
    try {
      return (await client.query<Row>(text)).rows;
    } finally {
      await client.end();
    }
  }

  pauseReplay = (): Promise<unknown> =>
    this.run('replica', 'SELECT pg_wal_replay_pause()').then(() => this.#untilReplay('paused'));
  resumeReplay = (): Promise<unknown> => this.run('replica', 'SELECT pg_wal_replay_resume()');

  async close(): Promise<void> {
    await this.servers.close();
  }

  async #untilReplay(state: string): Promise<void> {
    while (
      (await this.run<{ state: string }>('replica', 'SELECT pg_get_wal_replay_pause_state() AS state'))[0]?.state !==
      state
    )
      await new Promise((resolve) => setTimeout(resolve, 5));
  }

  async #startMember({ dir, port }: Member, settings: Readonly<Record<string, string>>): Promise<number> {
    const { pid } = await this.servers.tell({
      start: 'postgres',
      options: { dir, port, password: PASSWORD, logFile: this.logFile, settings },
    });
    if (pid === undefined) throw new Error('serve.mjs returned no process id');
    return pid;
  }
}
