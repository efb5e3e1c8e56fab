import { hash } from 'node:crypto';
import { type Socket } from 'node:net';
import pg from 'pg';
import { type Consumer, ConsumerLimitError, currentConsumer } from './consumer.js';
import { boundedParsers, MAX_ANSWER_BYTES } from './answer-size.js';
import { ByteTextClient } from './byte-texts.js';
import { type DatabaseWatch } from './database-watch.js';
import { type PoolState, stateOf } from './pool-state.js';
import { ReadSnapshot } from './read-snapshot.js';
import { type ReadStatement } from './read-statement.js';
import { SHARE_WAIT_MS, Shares } from './shares.js';
import { typeParsers } from './type-parsers.js';
import { DatabaseUnavailableError } from './unavailable.js';
import { WatchedPool } from './watched-pool.js';

/**
 * Makes a prepared statement. Use it only for a text whose best plan does not depend on its values.
 * @param distinction  a shorter text that is different for each `text`; defaults to `text`
 */
export const prepared = (text: string, distinction = text): { readonly name: string; readonly text: string } => ({
  name: hash('sha256', distinction, 'base64url'),
  text,
});

export interface ReadPoolOptions {
  /** The URL of the database: `postgres://user:password@host:port/database`. */
  readonly url: string;
  /** The name that `pg_stat_activity` shows. */
  readonly applicationName: string;
  /** Maximum number of connections. None is opened before the first statement. */
  readonly size: number;
  /** Time after which the server cancels a statement, with SQLSTATE 57014. */
  readonly statementTimeoutMs: number;
  /** Maximum time to wait until a connection is free or opened. */
  readonly connectionTimeoutMs: number;
  /** Maximum number of connections that one consumer may use at a time. Defaults to `size`. */
  readonly share?: number | undefined;
  /** Time after `statementTimeoutMs` without an answer at which a connection counts as lost. Defaults to 5 seconds. */
  readonly graceMs?: number;
  /**
   * Age at which a connection is replaced. An old connection uses much memory of the server. It also stays at the old
   * server when the host name leads to another server. Defaults to 30 minutes.
   */
  readonly maxLifetimeSeconds?: number;
  /**
   * Number of prepared statements at which a connection is replaced. The server keeps the plan of each prepared
   * statement, and each new layout of a client adds a statement. Defaults to 200.
   */
  readonly maxPrepared?: number;
  /** Refuses statements while the server is unavailable. Without a watch, each statement waits for its timeout. */
  readonly watch?: DatabaseWatch | undefined;
  /**
   * The start of the server to which all connections must belong, see {@link SERVER_RUN}. By default, connections to
   * any server are used.
   */
  readonly serverRun?: string | undefined;
}

/**
 * SQL for the start time of the server. It changes when the server restarts, and when the host name leads to another
 * server.
 */
export const SERVER_RUN = 'pg_postmaster_start_time()::text';

const IDLE_MS = 60_000;
const GRACE_MS = 5_000;
/**
 * A statement that has used at least this share of the time budget counts as having used the whole budget. The share is
 * below 1, because short statements of the same request may have used some time before.
 */
const NEARLY_ALL = 0.9;
/** Minimum time in ms between two checks of the database time that the consumer of a statement has left. */
const LEAST_CHECK_MS = 20;
const CANCEL_TIMEOUT_MS = 5_000;
const MAX_LIFETIME_SECONDS = 1_800;
const MAX_PREPARED = 200;

/**
 * SQL for the settings of each connection. JIT is off, because compiling the plan of a page takes longer than running
 * it. Each statement uses one processor, because many pages are read at the same time. UTC makes the texts of dates the
 * same on every server.
 */
const SESSION = [
  'SET jit = off; SET max_parallel_workers_per_gather = 0',
  `SET TimeZone = 'UTC'; SET default_transaction_read_only = on`,
].join('; ');

/**
 * A pool of read-only connections. Each statement outside a snapshot is a transaction of its own and has a time limit.
 * The statements of a consumer (see `runFor`) share a part of the connections. They stop when the consumer has no
 * database time left.
 */
export class ReadPool {
  readonly size: number;
  readonly share: number;
  readonly statementTimeoutMs: number;
  readonly #pool: pg.Pool;
  readonly #shares: Shares | undefined;
  readonly #url: string;
  readonly #maxPrepared: number;
  /** Maps each connection to the names of its prepared statements. */
  readonly #prepared = new WeakMap<pg.PoolClient, Set<string>>();

  constructor(options: ReadPoolOptions) {
    this.size = options.size;
    this.share = options.share ?? options.size;
    this.#shares =
      options.share === undefined ? undefined : new Shares({ share: options.share, waitMs: SHARE_WAIT_MS });
    this.#url = options.url;
    this.statementTimeoutMs = options.statementTimeoutMs;
    this.#maxPrepared = options.maxPrepared ?? MAX_PREPARED;
    this.#pool = new WatchedPool({
      Client: ByteTextClient,
      watch: options.watch,
      connectionString: options.url,
      application_name: options.applicationName,
      max: options.size,
      connectionTimeoutMillis: options.connectionTimeoutMs,
      idleTimeoutMillis: IDLE_MS,
      maxLifetimeSeconds: options.maxLifetimeSeconds ?? MAX_LIFETIME_SECONDS,
      statement_timeout: options.statementTimeoutMs,
      // The server enforces `statement_timeout`. The driver enforces this second limit, for a server that has vanished
      // without closing the connection.
      query_timeout: options.statementTimeoutMs + (options.graceMs ?? GRACE_MS),
      keepAlive: true,
      types: typeParsers,
      verify: (client, done) => void prepareSession(client, options.serverRun).then(() => done(), done),
    });
    // A broken connection also emits `error` here. Without a listener, the event would end the process. The running
    // statement rejects by itself, and the pool replaces the connection.
    this.#pool.on('error', ignore);
    this.#pool.on('connect', (client) => void readInTurns(client.on('error', ignore)));
  }

  /**
   * Runs one statement and returns its rows.
   * @throws {DatabaseUnavailableError} when no connection or no answer came in time
   * @throws {ConsumerLimitError} when the consumer has no connection or no database time left
   * @throws {AnswerTooLargeError} when the rows are larger than an answer may be
   * @throws {pg.DatabaseError} when the server refuses the statement, with the SQLSTATE in `code`; 57014 is a timeout
   */
  async query<Row extends object>(statement: ReadStatement): Promise<Row[]> {
    const consumer = currentConsumer();
    if (!consumer || !this.#shares) return this.#run(statement, consumer);
    return this.#shares.run(consumer, () => this.#run(statement, consumer));
  }

  async #run<Row extends object>(
    { name, text, parameters, textsAsBytes }: ReadStatement,
    consumer: Consumer | undefined,
  ): Promise<Row[]> {
    if (consumer && consumer.leftMs <= 0) throw new ConsumerLimitError('database_time');
    const client = await this.#pool.connect().catch(rethrow);
    const watch = consumer && this.#stopInTime(client, consumer);
    try {
      const types = boundedParsers(MAX_ANSWER_BYTES, textsAsBytes);
      const { rows } = await client.query<Row>({ name, text, values: [...parameters], types });
      client.release((watch?.end() ?? false) || this.#isFull(client, name));
      return rows;
    } catch (error) {
      const isStopped = watch?.end() ?? false;
      client.release(isStopped || !isAboutStatement(error) || this.#isFull(client, name));
      if (isStopped && watch?.isOutOfTime) throw new ConsumerLimitError('database_time', { cause: error });
      return rethrow(error);
    }
  }

  /**
   * Cancels the running statement of a connection when the consumer's database time ends. A timer costs less than a
   * different statement timeout, which would first have to be sent to the server.
   */
  #stopInTime(client: pg.PoolClient, consumer: Consumer): StatementWatch | undefined {
    if (consumer.leftMs === Infinity) return undefined;
    const isOutOfTime = consumer.leftMs < consumer.budgetMs * NEARLY_ALL;
    let isStopped = false;
    let timer: NodeJS.Timeout;
    const check = (): void => {
      const { leftMs } = consumer;
      // The remaining time is read again at each check, because other statements of the consumer use it, too.
      if (leftMs > 0) return void (timer = setTimeout(check, Math.max(LEAST_CHECK_MS, leftMs / this.share)));
      isStopped = true;
      cancel(this.#url, client).catch(ignore);
    };
    check();
    return { isOutOfTime, end: () => (clearTimeout(timer), isStopped) };
  }

  /**
   * Takes a connection until the snapshot is closed. The connection counts towards the consumer's share, like a running
   * statement. The statements of the snapshot count towards the consumer's database time, but they do not stop when it
   * is used up.
   * @throws {DatabaseUnavailableError} when no connection is available in time
   * @throws {ConsumerLimitError} when the consumer has no connection left
   */
  openSnapshot(): Promise<ReadSnapshot> {
    const consumer = currentConsumer();
    return new Promise((resolve, reject) => {
      const hold = async (): Promise<void> => {
        const client = await this.#pool.connect().catch(rethrow);
        const stop = (running: pg.PoolClient): void => void cancel(this.#url, running).catch(ignore);
        await new Promise<void>((leave, fail) => {
          ReadSnapshot.open({ client, consumer, cancel: stop, leave }).then(resolve, fail);
        });
      };
      (consumer && this.#shares ? this.#shares.run(consumer, hold) : hold()).catch(reject);
    });
  }

  /** Returns the current connections. The result has the given name of the pool. */
  state(name: string): PoolState {
    const state = stateOf(name, this.#pool);
    return { ...state, waiting: state.waiting + (this.#shares?.waiting ?? 0) };
  }

  #isFull(client: pg.PoolClient, name: string | undefined): boolean {
    if (name === undefined) return false;
    const names = this.#prepared.get(client) ?? new Set();
    this.#prepared.set(client, names.add(name));
    return names.size >= this.#maxPrepared;
  }

  /** Closes all connections after their running statements have finished. */
  async close(): Promise<void> {
    await this.#pool.end();
  }
}

/** Number of bytes of results that a connection reads before other requests get their turn. */
const TURN_BYTES = 65_536;

/**
 * Reads a long result in many turns of the event loop. Otherwise a socket would read up to 2 MB in one turn, and other
 * requests, which need several turns each, would wait long.
 */
function readInTurns(client: pg.PoolClient): void {
  const { stream } = (client as unknown as { readonly connection: { readonly stream: Socket } }).connection;
  let bytes = 0;
  stream.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes < TURN_BYTES) return;
    bytes = 0;
    stream.pause();
    setImmediate(() => stream.resume());
  });
}

interface StatementWatch {
  /** True when earlier statements had used a part of the budget. Otherwise a later attempt would fail, too. */
  readonly isOutOfTime: boolean;
  /**
   * Ends the watch. Call it when the statement has ended.
   * @returns true when the statement was cancelled. The connection must then be closed, because the cancellation
   *   could arrive during its next statement.
   */
  readonly end: () => boolean;
}

/** Cancels the running statement of a connection over a new connection, because the whole pool may be in use. */
async function cancel(url: string, client: pg.PoolClient): Promise<void> {
  const { processID: pid } = client as unknown as { readonly processID: number };
  const other = new pg.Client({ connectionString: url, application_name: 'cancel', query_timeout: CANCEL_TIMEOUT_MS });
  other.on('error', ignore);
  try {
    await other.connect();
    await other.query('SELECT pg_cancel_backend($1)', [pid]);
  } finally {
    await other.end();
  }
}

async function prepareSession(client: pg.ClientBase, expectedRun: string | undefined): Promise<void> {
  if (expectedRun === undefined) return void (await client.query(SESSION));
  const results: unknown = await client.query(`${SESSION}; SELECT ${SERVER_RUN} AS run`);
  const { rows } = (results as pg.QueryResult<{ run: string }>[]).at(-1) ?? { rows: [] };
  if (rows[0]?.run !== expectedRun)
    throw new DatabaseUnavailableError(
      'the new connection leads to another PostgreSQL server, or the server was restarted',
    );
}

const ignore = (): void => undefined;

/** True when the server has refused or cancelled the statement but the connection is still usable. */
const isAboutStatement = (error: unknown): boolean => error instanceof pg.DatabaseError && error.severity === 'ERROR';

/** Maps the text of an error of the driver to the reason in our error, because such errors have no codes. */
const REASONS: ReadonlyMap<string, string> = new Map([
  ['timeout exceeded when trying to connect', 'no connection became free in time'],
  ['Connection terminated due to connection timeout', 'no connection could be made in time'],
  ['Connection terminated unexpectedly', 'the connection was lost'],
  ['Connection terminated', 'the connection was lost'],
  ['Query read timeout', 'a statement was not answered in time'],
  ['Cannot use a pool after calling end on the pool', 'its connections are closed'],
]);

function rethrow(error: unknown): never {
  const reason = error instanceof Error ? REASONS.get(error.message) : undefined;
  throw reason === undefined ? error : new DatabaseUnavailableError(reason, { cause: error });
}
