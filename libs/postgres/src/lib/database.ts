import pg from 'pg';
import { DataSource, type EntitySchema, type MigrationInterface } from 'typeorm';
import { type DatabaseState, type DatabaseStateChange, DatabaseWatch } from './database-watch.js';
import { type PoolState, stateOf } from './pool-state.js';
import { ReadPool } from './read-pool.js';
import { channelsToNotify, type Transaction } from './transaction.js';
import { typeParsers } from './type-parsers.js';
import { CommitUnknownError, DatabaseRefusedError, DatabaseUnavailableError, isUnavailable } from './unavailable.js';
import { WatchedPool } from './watched-pool.js';

export interface DatabaseOptions {
  /** `postgres://user:password@host:port/database` */
  readonly url: string;
  /** Shown in `pg_stat_activity`, so that operators see who holds a connection. */
  readonly applicationName: string;
  /** Connections held at most, beside those that only read. */
  readonly poolSize?: number;
  /** Connections for the pages of collections, at most. */
  readonly readPoolSize?: number;
  /** A statement that runs longer is cancelled by the server; 0 switches that off. */
  readonly statementTimeoutMs?: number;
  readonly entities?: readonly EntitySchema[];
  /** All migrations of this release, oldest first. Defaults to none. */
  readonly migrations?: readonly (new () => MigrationInterface)[];
}

export interface OpenDatabaseOptions extends DatabaseOptions {
  /** Told when the server goes away, comes back, or takes no writes; when it is away from the start, too. */
  readonly onStateChange?: (change: DatabaseStateChange) => void;
}

/** What finds the items of a page in this time is of use; what does not is refused. */
const READ_TIMEOUT_MS = 10_000;
const READ_WAIT_MS = 5_000;
/** `last` and `X-Total-Count` are left out when the count takes longer. Source: CONTRACT.md 11, Links. */
const COUNT_TIMEOUT_MS = 2_000;
/** Few, so that pages come before counts. */
const COUNTING_CONNECTIONS = 2;

/** The one door to PostgreSQL. TypeORM stays behind it: apps see transactions and statements. */
export class Database {
  readonly #notifying = new Set<string>();
  #closed: Promise<unknown> | undefined;

  private constructor(
    readonly dataSource: DataSource,
    /** For the pages of collections: they wait for no write, and no write waits for them. */
    readonly reading: ReadPool,
    /** For counts, which may take long and which a page can do without. */
    readonly counting: ReadPool,
    private readonly watch: DatabaseWatch | undefined,
  ) {}

  /** Connects, or rejects when the server cannot be reached. Migrations are a step of their own, see `migrate`. */
  static async connect(options: DatabaseOptions): Promise<Database> {
    const database = Database.#make(options);
    await database.#initialize();
    return database;
  }

  /**
   * For an app that is to outlive its server's absences: resolves also when the server cannot be reached. Whatever is asked of it
   * then is refused at once, until the server is there.
   * @throws {DatabaseRefusedError} when the server is there and refuses the login or has no such database
   */
  static async open({ onStateChange, ...options }: OpenDatabaseOptions): Promise<Database> {
    const { url, applicationName } = options;
    const watch = new DatabaseWatch({
      url,
      applicationName,
      ...(onStateChange && { onChange: onStateChange }),
      prepare: () => database.#initialize(),
    });
    const database = Database.#make(options, watch);
    await watch.start();
    if (watch.refused === undefined) return database;
    await database.close();
    throw new DatabaseRefusedError(watch.refused);
  }

  static #make(options: DatabaseOptions, watch?: DatabaseWatch): Database {
    const dataSource = new DataSource({
      type: 'postgres',
      driver: { defaults: pg.defaults, Pool: WatchedPool },
      url: options.url,
      applicationName: options.applicationName,
      poolSize: options.poolSize ?? 10,
      connectTimeoutMS: 5_000,
      entities: [...(options.entities ?? [])],
      migrations: [...(options.migrations ?? [])],
      migrationsTableName: 'migrations',
      migrationsTransactionMode: 'each',
      installExtensions: false,
      extra: { types: typeParsers, statement_timeout: options.statementTimeoutMs ?? 30_000, keepAlive: true, watch },
    });
    const { url, applicationName } = options;
    const reading = {
      size: options.readPoolSize ?? 8,
      statementTimeoutMs: READ_TIMEOUT_MS,
      connectionTimeoutMs: READ_WAIT_MS,
    };
    const counting = {
      size: COUNTING_CONNECTIONS,
      statementTimeoutMs: COUNT_TIMEOUT_MS,
      connectionTimeoutMs: COUNT_TIMEOUT_MS,
    };
    return new Database(
      dataSource,
      new ReadPool({ url, applicationName: `${applicationName} reading`, watch, ...reading }),
      new ReadPool({ url, applicationName: `${applicationName} counting`, watch, ...counting }),
      watch,
    );
  }

  async #initialize(): Promise<void> {
    if (this.dataSource.isInitialized) return;
    await this.dataSource.initialize();
    surviveLostConnections(this.pool);
  }

  /** How the server is, as far as is known; undefined unless this was opened with {@link Database.open}. */
  get state(): DatabaseState | undefined {
    return this.watch?.state;
  }

  /**
   * Runs `work` in one transaction: committed when it resolves, rolled back when it rejects.
   * @throws {CommitUnknownError} when the connection was lost while committing
   */
  async transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    this.#expectInitialized();
    let channels: ReadonlySet<string> | undefined;
    let isCommitting = false;
    try {
      const result = await this.dataSource.transaction(async (transaction) => {
        const value = await work(transaction);
        channels = channelsToNotify(transaction);
        isCommitting = true;
        return value;
      });
      channels?.forEach((channel) => this.#notifySoon(channel));
      return result;
    } catch (error) {
      throw isCommitting && isUnavailable(error) && !isSaidByServer(error)
        ? new CommitUnknownError({ cause: error })
        : error;
    }
  }

  /**
   * Wakes who listens, once for all commits of this turn of the event loop. Never inside a transaction: NOTIFY there makes
   * all commits queue up behind one another. A hint only, so a failure does not matter: listeners poll too.
   */
  #notifySoon(channel: string): void {
    if (this.#notifying.has(channel)) return;
    this.#notifying.add(channel);
    setImmediate(() => {
      this.#notifying.delete(channel);
      if (!this.dataSource.isInitialized) return; // closed in between
      this.pool.query('SELECT pg_notify($1, $2)', [channel, '']).catch(() => undefined);
    });
  }

  /** One statement outside any transaction. Values are always parameters. */
  async query<Row extends object>(text: string, parameters: readonly unknown[] = []): Promise<Row[]> {
    return (await this.pool.query<Row>(text, [...parameters])).rows;
  }

  /** The connections themselves: for reads that name their statements, and for LISTEN. */
  get pool(): pg.Pool {
    this.#expectInitialized();
    return poolOf(this.dataSource);
  }

  #expectInitialized(): void {
    if (!this.dataSource.isInitialized && !this.#closed)
      throw this.watch?.refusal ?? new DatabaseUnavailableError('not connected yet');
  }

  /** The connections of this process at this moment; none as long as the server has never been there. */
  get pools(): readonly PoolState[] {
    if (!this.dataSource.isInitialized) return [];
    return [stateOf('main', poolOf(this.dataSource)), this.reading.state('reading'), this.counting.state('counting')];
  }

  /** Whether the schema is the one that this release was written for. */
  async hasAllMigrations(): Promise<boolean> {
    this.#expectInitialized();
    return !(await this.dataSource.showMigrations());
  }

  /** Closes all connections, once what runs on them has come to its end. */
  async close(): Promise<void> {
    this.#closed ??= Promise.all([
      this.reading.close(),
      this.counting.close(),
      this.dataSource.isInitialized && this.dataSource.destroy(),
    ]);
    this.watch?.stop();
    await this.#closed;
  }
}

/** An error after which the connection goes on: of a COMMIT it says that there was none. */
const isSaidByServer = (error: unknown): boolean =>
  (error as { readonly driverError?: { readonly severity?: unknown } }).driverError?.severity === 'ERROR';

const poolOf = (dataSource: DataSource): pg.Pool =>
  (dataSource.driver as unknown as { readonly master: pg.Pool }).master;

/**
 * A connection that breaks while somebody holds it says so to whoever waits for its answer. It says it to its listeners too, and
 * without any the process would end.
 */
function surviveLostConnections(pool: pg.Pool): void {
  const heard = new WeakSet<pg.PoolClient>();
  pool.on('acquire', (client) => {
    if (heard.has(client)) return;
    heard.add(client);
    client.on('error', () => undefined);
  });
}
