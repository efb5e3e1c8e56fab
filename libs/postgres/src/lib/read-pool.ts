import { hash } from 'node:crypto';
import pg from 'pg';
import { type DatabaseWatch } from './database-watch.js';
import { type PoolState, stateOf } from './pool-state.js';
import { typeParsers } from './type-parsers.js';
import { DatabaseUnavailableError } from './unavailable.js';
import { WatchedPool } from './watched-pool.js';

/** A statement that reads. */
export interface ReadStatement {
  readonly text: string;
  readonly parameters: readonly unknown[];
  /** Prepares it under this name, once per connection. The same name always means the same text. */
  readonly name?: string | undefined;
}

/**
 * A text that is prepared on each connection that runs it, for one whose plan does not hang on its values.
 * @param distinction  what tells the text from all others, when that is shorter
 */
export const prepared = (text: string, distinction = text): { readonly name: string; readonly text: string } => ({
  name: hash('sha256', distinction, 'base64url'),
  text,
});

export interface ReadPoolOptions {
  /** `postgres://user:password@host:port/database` */
  readonly url: string;
  /** Shown in `pg_stat_activity`. */
  readonly applicationName: string;
  /** Connections held at most; none before the first statement. */
  readonly size: number;
  /** A statement that runs longer is cancelled by the server, with SQLSTATE 57014. */
  readonly statementTimeoutMs: number;
  /** How long a statement waits for a connection to become free, or to be made. */
  readonly connectionTimeoutMs: number;
  /** How long an answer may take beyond `statementTimeoutMs` before the server counts as gone. */
  readonly graceMs?: number;
  /** A connection is replaced at this age: a long life gathers memory in the server, and stays where servers were moved. */
  readonly maxLifetimeSeconds?: number;
  /** So many statements prepared, and a connection is replaced: their plans stay in the server, and clients make new ones by their layouts. */
  readonly maxPrepared?: number;
  /** Knows whether the server is there; without it a statement has to find out by itself. */
  readonly watch?: DatabaseWatch | undefined;
  /** The run of the server (see `SERVER_RUN`) that connections must lead to: behind a name there may be several, and each is started again. */
  readonly serverRun?: string | undefined;
}

/** SQL that tells one run of a server from its next, and from other servers. */
export const SERVER_RUN = 'pg_postmaster_start_time()::text';

const IDLE_MS = 60_000;
const GRACE_MS = 5_000;
const MAX_LIFETIME_SECONDS = 1_800;
const MAX_PREPARED = 200;

/**
 * Compiling a page's plan takes longer than running it, and pages are read side by side: each has its own processor and no other.
 * Texts of dates must not depend on the server. Nothing here writes.
 */
const SESSION = `SET jit = off; SET max_parallel_workers_per_gather = 0; SET TimeZone = 'UTC'; SET default_transaction_read_only = on`;

/** Connections that only read, each statement in a transaction of its own and with an end to its time. */
export class ReadPool {
  readonly size: number;
  readonly statementTimeoutMs: number;
  readonly #pool: pg.Pool;
  readonly #maxPrepared: number;
  /** Names by connection. */
  readonly #prepared = new WeakMap<pg.PoolClient, Set<string>>();

  constructor(options: ReadPoolOptions) {
    this.size = options.size;
    this.statementTimeoutMs = options.statementTimeoutMs;
    this.#maxPrepared = options.maxPrepared ?? MAX_PREPARED;
    this.#pool = new WatchedPool({
      watch: options.watch,
      connectionString: options.url,
      application_name: options.applicationName,
      max: options.size,
      connectionTimeoutMillis: options.connectionTimeoutMs,
      idleTimeoutMillis: IDLE_MS,
      maxLifetimeSeconds: options.maxLifetimeSeconds ?? MAX_LIFETIME_SECONDS,
      statement_timeout: options.statementTimeoutMs,
      // The server keeps the time of statements; this one is for a server that has vanished without a word.
      query_timeout: options.statementTimeoutMs + (options.graceMs ?? GRACE_MS),
      keepAlive: true,
      types: typeParsers,
      verify: (client, done) => void prepareSession(client, options.serverRun).then(() => done(), done),
    });
    // A connection that breaks says so here too, and without a listener would end the process. Who waits for its answer
    // hears of it, and the pool replaces it.
    this.#pool.on('error', ignore);
    this.#pool.on('connect', (client) => client.on('error', ignore));
  }

  /**
   * @throws {DatabaseUnavailableError} when no connection or no answer was to be had in time
   * @throws what the server says of the statement, SQLSTATE in `code`: 57014 when it took too long
   */
  async query<Row extends object>({ name, text, parameters }: ReadStatement): Promise<Row[]> {
    const client = await this.#pool.connect().catch(rethrow);
    try {
      const { rows } = await client.query<Row>({ name, text, values: [...parameters] });
      client.release(this.#isFull(client, name));
      return rows;
    } catch (error) {
      client.release(!isAboutStatement(error) || this.#isFull(client, name));
      return rethrow(error);
    }
  }

  /** Its connections at this moment. */
  state(name: string): PoolState {
    return stateOf(name, this.#pool);
  }

  #isFull(client: pg.PoolClient, name: string | undefined): boolean {
    if (name === undefined) return false;
    const names = this.#prepared.get(client) ?? new Set();
    this.#prepared.set(client, names.add(name));
    return names.size >= this.#maxPrepared;
  }

  /** Lets the statements that run come to their end. */
  async close(): Promise<void> {
    await this.#pool.end();
  }
}

async function prepareSession(client: pg.ClientBase, expectedRun: string | undefined): Promise<void> {
  if (expectedRun === undefined) return void (await client.query(SESSION));
  const results: unknown = await client.query(`${SESSION}; SELECT ${SERVER_RUN} AS run`);
  const { rows } = (results as pg.QueryResult<{ run: string }>[]).at(-1) ?? { rows: [] };
  if (rows[0]?.run !== expectedRun)
    throw new DatabaseUnavailableError('the connection leads to another server, or to one that was started again');
}

const ignore = (): void => undefined;

/** The server refused or cancelled the statement, and goes on to serve the connection. */
const isAboutStatement = (error: unknown): boolean => error instanceof pg.DatabaseError && error.severity === 'ERROR';

/** What the driver says, which has no codes. */
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
