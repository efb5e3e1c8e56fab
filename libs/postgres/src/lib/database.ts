import pg from 'pg';
import { DataSource, type EntitySchema, type MigrationInterface } from 'typeorm';
import { currentConsumer } from './consumer.js';
import { DedicatedPools, surviveLostConnections } from './dedicated-pools.js';
import { type DatabaseState, type DatabaseStateChange, DatabaseWatch } from './database-watch.js';
import { type PoolState, stateOf } from './pool-state.js';
import { ReadPool } from './read-pool.js';
import { SHARE_WAIT_MS, Shares } from './shares.js';
import { CommitNotices } from './commit-notices.js';
import { channelsToNotify, runBeforeCommit, type Transaction } from './transaction.js';
import { typeParsers } from './type-parsers.js';
import { CommitUnknownError, DatabaseRefusedError, DatabaseUnavailableError, isUnavailable } from './unavailable.js';
import { WatchedPool } from './watched-pool.js';

export interface DatabaseOptions {
  /** The URL of the database: `postgres://user:password@host:port/database`. */
  readonly url: string;
  /** The name that `pg_stat_activity` shows, so that operators see who holds a connection. */
  readonly applicationName: string;
  /** Maximum number of connections for transactions and single rows. Defaults to 10. */
  readonly poolSize?: number;
  /** Maximum number of connections for pages of collections. Defaults to 8. */
  readonly readPoolSize?: number;
  /**
   * Maximum number of connections for pages that one consumer may use at a time, see `runFor`. Defaults to all. If it
   * is set, one consumer may also use at most half of the connections for transactions, for counts and for exports.
   */
  readonly readShare?: number | undefined;
  /**
   * Maximum number of connections for exports. If `readShare` is set, one consumer may use at most half of them.
   * Defaults to 4.
   */
  readonly exportPoolSize?: number;
  /** Time after which the server cancels a statement. 0 means no limit. Defaults to 30 seconds. */
  readonly statementTimeoutMs?: number;
  /** Time without a statement after which the server ends a session in a transaction. Defaults to 0, no limit. */
  readonly idleInTransactionTimeoutMs?: number;
  readonly entities?: readonly EntitySchema[];
  /** All migrations of this release, oldest first. Defaults to none. */
  readonly migrations?: readonly (new () => MigrationInterface)[];
}

export interface OpenDatabaseOptions extends DatabaseOptions {
  /** Called for each change of the state, and at the start if the state is not `available`. */
  readonly onStateChange?: (change: DatabaseStateChange) => void;
}

const POOL_SIZE = 10;
const READ_TIMEOUT_MS = 10_000;
const READ_WAIT_MS = 5_000;
/**
 * Time limit of a count in ms. A page whose count takes longer has no `last` link and no `X-Total-Count`.
 * Source: docs/reference/paging.md.
 */
const COUNT_TIMEOUT_MS = 2_000;
const EXPORT_CONNECTIONS = 4;
/** Time limit in ms of the single statement that finds and sorts the items of an export. */
const EXPORT_TIMEOUT_MS = 30_000;
/** Number of connections for counts. It is small, so that counts hardly slow down pages. */
const COUNTING_CONNECTIONS = 2;

/**
 * The connections of a process to PostgreSQL. It hides TypeORM: apps only see transactions and statements.
 * Source: docs/reference/database.md, "Connections".
 */
export class Database {
  readonly #notices = new CommitNotices((channel) => this.#notify(channel));
  #closed: Promise<unknown> | undefined;

  private constructor(
    readonly dataSource: DataSource,
    /** Reads pages of collections. Pages and writes never wait for each other's connections. */
    readonly reading: ReadPool,
    /**
     * Reads counts. A count may take long, so counts have connections of their own. A page can be sent without its
     * count.
     */
    readonly counting: ReadPool,
    /** Reads whole collections for exports. Exports and pages do not wait for each other's connections. */
    readonly exporting: ReadPool,
    private readonly dedicatedPools: DedicatedPools,
    private readonly watch: DatabaseWatch | undefined,
    /**
     * Limits the connections that the transactions of one consumer use, so that some stay free for others, for example
     * for looking up credentials. Undefined when consumers have no limit.
     */
    private readonly transactionShares: Shares | undefined,
  ) {}

  /** Connects. Rejects when the server cannot be reached. It never migrates, see `migrate`. */
  static async connect(options: DatabaseOptions): Promise<Database> {
    const database = Database.#make(options);
    await database.#initialize();
    return database;
  }

  /**
   * Connects an app that keeps running while its server is unavailable. It also resolves when the server cannot be
   * reached. Until the server is available, every statement rejects at once with a `DatabaseUnavailableError`.
   * @throws {DatabaseRefusedError} when the server answers and refuses the login, or the database does not exist
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
    const connectTimeoutMS = 5_000;
    const connection = {
      types: typeParsers,
      statement_timeout: options.statementTimeoutMs ?? 30_000,
      idle_in_transaction_session_timeout: options.idleInTransactionTimeoutMs ?? 0,
      keepAlive: true,
      watch,
    };
    const dataSource = new DataSource({
      type: 'postgres',
      driver: { defaults: pg.defaults, Pool: WatchedPool },
      url: options.url,
      applicationName: options.applicationName,
      poolSize: options.poolSize ?? POOL_SIZE,
      connectTimeoutMS,
      entities: [...(options.entities ?? [])],
      migrations: [...(options.migrations ?? [])],
      migrationsTableName: 'migrations',
      migrationsTransactionMode: 'each',
      installExtensions: false,
      extra: connection,
    });
    const { url, applicationName } = options;
    const reading = {
      size: options.readPoolSize ?? 8,
      statementTimeoutMs: READ_TIMEOUT_MS,
      connectionTimeoutMs: READ_WAIT_MS,
      share: options.readShare,
    };
    const exporting = {
      size: options.exportPoolSize ?? EXPORT_CONNECTIONS,
      statementTimeoutMs: EXPORT_TIMEOUT_MS,
      connectionTimeoutMs: READ_WAIT_MS,
      share:
        options.readShare === undefined ? undefined : Math.ceil((options.exportPoolSize ?? EXPORT_CONNECTIONS) / 2),
    };
    const counting = {
      size: COUNTING_CONNECTIONS,
      statementTimeoutMs: COUNT_TIMEOUT_MS,
      connectionTimeoutMs: COUNT_TIMEOUT_MS,
      share: options.readShare === undefined ? undefined : COUNTING_CONNECTIONS / 2,
    };
    return new Database(
      dataSource,
      new ReadPool({ url, applicationName: `${applicationName} reading`, watch, ...reading }),
      new ReadPool({ url, applicationName: `${applicationName} counting`, watch, ...counting }),
      new ReadPool({ url, applicationName: `${applicationName} exporting`, watch, ...exporting }),
      new DedicatedPools({
        ...connection,
        connectionString: url,
        application_name: applicationName,
        connectionTimeoutMillis: connectTimeoutMS,
      }),
      watch,
      options.readShare === undefined
        ? undefined
        : new Shares({ share: Math.ceil((options.poolSize ?? POOL_SIZE) / 2), waitMs: SHARE_WAIT_MS }),
    );
  }

  async #initialize(): Promise<void> {
    if (this.dataSource.isInitialized) return;
    await this.dataSource.initialize();
    surviveLostConnections(this.pool);
  }

  /** The last known state of the server. Undefined unless {@link Database.open} made this object. */
  get state(): DatabaseState | undefined {
    return this.watch?.state;
  }

  /**
   * Runs `work` in one transaction. It commits when `work` resolves and rolls back when `work` rejects.
   * @throws {CommitUnknownError} when the connection is lost during COMMIT
   * @throws {DatabaseUnavailableError} when no connection is available
   * @throws {ConsumerLimitError} when earlier transactions of the consumer take too long; nothing was done
   */
  async transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    const consumer = currentConsumer();
    return consumer && this.transactionShares
      ? this.transactionShares.run(consumer, () => this.#transact(work))
      : this.#transact(work);
  }

  async #transact<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    this.#expectInitialized();
    let channels: ReadonlySet<string> | undefined;
    let isCommitting = false;
    try {
      const result = await this.dataSource.transaction(async (transaction) => {
        const value = await work(transaction);
        await runBeforeCommit(transaction);
        channels = channelsToNotify(transaction);
        isCommitting = true;
        return value;
      });
      channels?.forEach((channel) => this.#notices.request(channel));
      return result;
    } catch (error) {
      throw isCommitting && isUnavailable(error) && !isSaidByServer(error)
        ? new CommitUnknownError({ cause: error })
        : error;
    }
  }

  /**
   * Sends NOTIFY. The NOTIFY is not a part of a transaction, because all commits with a NOTIFY wait for each other. A
   * failure is ignored, because listeners also poll. PostgreSQL does not plan this statement, unlike `pg_notify`.
   */
  #notify(channel: string): void {
    if (!this.dataSource.isInitialized) return; // The pools may be closed by now.
    this.pool.query(`NOTIFY ${pg.escapeIdentifier(channel)}`).catch(() => undefined);
  }

  /** Runs one statement outside any transaction and returns its rows. Values are always parameters. */
  async query<Row extends object>(text: string, parameters: readonly unknown[] = []): Promise<Row[]> {
    return (await this.pool.query<Row>(text, [...parameters])).rows;
  }

  /** The pool of the driver, for prepared statements and for LISTEN. */
  get pool(): pg.Pool {
    this.#expectInitialized();
    return poolOf(this.dataSource);
  }

  /** The pool with a single connection for the prepared statements of this name, see `DedicatedPools`. */
  dedicated(name: string): pg.Pool {
    this.#expectInitialized();
    return this.dedicatedPools.get(name);
  }

  #expectInitialized(): void {
    if (!this.dataSource.isInitialized && !this.#closed)
      throw this.watch?.refusal ?? new DatabaseUnavailableError('there is no connection to PostgreSQL yet');
  }

  /** The current connections of this process, by pool. Empty until the server is available for the first time. */
  get pools(): readonly PoolState[] {
    if (!this.dataSource.isInitialized) return [];
    return [
      stateOf('main', poolOf(this.dataSource)),
      this.reading.state('reading'),
      this.counting.state('counting'),
      this.exporting.state('exporting'),
      ...this.dedicatedPools.states,
    ];
  }

  /** True when the database has every migration of this release. */
  async hasAllMigrations(): Promise<boolean> {
    this.#expectInitialized();
    // TypeORM's own check is not used: it would create the table `migrations`, and would keep its connection after an
    // error.
    const [table] = await this.query<{ exists: boolean }>(`SELECT to_regclass('migrations') IS NOT NULL AS exists`);
    const applied = table?.exists ? await this.query<{ name: string }>('SELECT name FROM migrations') : [];
    const names = new Set(applied.map(({ name }) => name));
    return this.dataSource.migrations.every((migration) => names.has(migration.name ?? migration.constructor.name));
  }

  /** Closes all connections after their running statements have finished. It may be called several times. */
  async close(): Promise<void> {
    this.#closed ??= Promise.all([
      this.reading.close(),
      this.counting.close(),
      this.exporting.close(),
      this.dedicatedPools.close(),
      this.dataSource.isInitialized && this.dataSource.destroy(),
    ]);
    this.watch?.stop();
    await this.#closed;
  }
}

/**
 * Returns true for an error that the server sent and after which the connection is still usable. As the answer to
 * COMMIT, such an error means that the transaction was rolled back.
 */
const isSaidByServer = (error: unknown): boolean =>
  (error as { readonly driverError?: { readonly severity?: unknown } }).driverError?.severity === 'ERROR';

const poolOf = (dataSource: DataSource): pg.Pool =>
  (dataSource.driver as unknown as { readonly master: pg.Pool }).master;
