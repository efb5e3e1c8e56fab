import { Socket } from 'node:net';
import pg from 'pg';
import { isRefusal, ServerUnavailableError } from './unavailable.js';

/** The state of the server. `read_only` means that it answers but is a standby, as before a promotion. */
export type DatabaseState = 'available' | 'read_only' | 'unavailable';

/** A change of the server's state, for the log. */
export interface DatabaseStateChange {
  readonly state: DatabaseState;
  readonly reason: string;
  /** The duration of the previous state. */
  readonly lastedMs: number;
}

/**
 * Describes a change of the state for operators, in the log. The text has no credentials. Source: docs/operations.md.
 */
export function stateInWords({ state, reason, lastedMs }: DatabaseStateChange): string {
  if (state === 'available') return `PostgreSQL is available again after ${(lastedMs / 1_000).toFixed(1)} s`;
  return `PostgreSQL ${state === 'unavailable' ? 'is unavailable' : 'takes no writes'}: ${reason}`;
}

export interface DatabaseWatchOptions {
  readonly url: string;
  /** The name that `pg_stat_activity` shows. */
  readonly applicationName: string;
  readonly onChange?: (change: DatabaseStateChange) => void;
  /** Called when the server answers for the first time, before it counts as available. Called again after a failure. */
  readonly prepare?: () => Promise<void>;
}

/**
 * Length of a tick in ms. Silence is counted in ticks of this process and not by the clock. So the server does not look
 * unavailable while this process is busy or this machine is paused.
 */
const TICK_MS = 100;
/** Number of ticks between two probes. */
const PROBE_EVERY_TICKS = 4;
/** Number of ticks without an answer to a probe after which new statements are refused. Running statements continue. */
const SILENT_TICKS = 8;
/** Number of ticks without an answer after which all connections are closed, so that their statements fail. */
const LOST_TICKS = 25;
const CONNECT_TIMEOUT_MS = 1_500;

type Listener = (error: ServerUnavailableError) => void;

/**
 * Probes the server all the time, over a connection of its own. The server counts as unavailable when it refuses
 * connections, or when no connection of the process receives a byte after a probe. A pool that is merely busy does not
 * make the server count as unavailable. Source: docs/adr/0023-unavailable-servers.md
 */
export class DatabaseWatch {
  readonly #sockets = new Map<Socket, number>();
  readonly #listeners = new Set<Listener>();
  readonly #pools = new Set<{ closeIdle(): void }>();
  readonly #firstState: Promise<void>;
  #resolveFirstState: () => void = () => undefined;
  #state: DatabaseState | undefined;
  #refusal: ServerUnavailableError | undefined = new ServerUnavailableError('there is no connection to PostgreSQL yet');
  #since = performance.now();
  #client: pg.Client | undefined;
  #isProbing = false;
  #silentTicks = 0;
  #ticksUntilProbe = 0;
  #isPrepared = false;
  #refused: string | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: DatabaseWatchOptions) {
    this.#firstState = new Promise((resolve) => (this.#resolveFirstState = resolve));
  }

  /** Resolves once the state of the server is known. */
  async start(): Promise<void> {
    this.#timer = setInterval(() => this.#tick(), TICK_MS).unref();
    this.#tick();
    await this.#firstState;
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#drop();
  }

  get state(): DatabaseState | undefined {
    return this.#state;
  }

  /** The error for new statements while the server is unavailable. Undefined at other times. */
  get refusal(): ServerUnavailableError | undefined {
    return this.#refusal;
  }

  /**
   * The SQLSTATE with which the server refused the login in the last probe. Undefined when the server did not refuse
   * the login.
   */
  get refused(): string | undefined {
    return this.#refused;
  }

  /**
   * Calls `listener` when the server becomes unavailable.
   * @returns a function that removes the listener
   */
  onUnavailable(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Adds a pool. Its idle connections are closed when the server turns out to be a standby. */
  add(pool: { closeIdle(): void }): void {
    this.#pools.add(pool);
  }

  /**
   * Opens a socket for a connection of a pool, which is passed to the driver as `stream`. Incoming bytes count as a
   * sign of life. The socket is closed when the server is lost.
   */
  readonly openSocket = (): Socket => {
    const socket = new Socket();
    this.#sockets.set(socket, 0);
    return socket.once('close', () => void this.#sockets.delete(socket));
  };

  #tick(): void {
    if (this.#hasReceived()) this.#silentTicks = 0;
    else if (this.#isProbing) this.#silentTicks += 1;
    if (this.#silentTicks >= SILENT_TICKS) this.#change('unavailable', 'it does not answer');
    if (this.#silentTicks >= LOST_TICKS) this.#destroySockets();
    if (this.#isProbing || --this.#ticksUntilProbe > 0) return;
    this.#ticksUntilProbe = PROBE_EVERY_TICKS;
    this.#isProbing = true;
    this.#probe().catch(() => undefined);
  }

  /** True when any connection of the process has received bytes since the last call. */
  #hasReceived(): boolean {
    let hasReceived = false;
    for (const [socket, before] of this.#sockets) {
      if (socket.bytesRead === before) continue;
      hasReceived = true;
      this.#sockets.set(socket, socket.bytesRead);
    }
    return hasReceived;
  }

  async #probe(): Promise<void> {
    try {
      this.#client ??= await this.#connect();
      const { rows } = await this.#client.query<{ is_standby: boolean }>('SELECT pg_is_in_recovery() AS is_standby');
      this.#refused = undefined;
      this.#silentTicks = 0;
      if (!this.#isPrepared) await this.#prepare();
      if (rows[0]?.is_standby) this.#changeToReadOnly();
      else this.#change('available', 'it answers');
    } catch (error) {
      this.#drop();
      this.#takeFailure(error);
    } finally {
      this.#isProbing = false;
    }
  }

  async #prepare(): Promise<void> {
    const before = this.#refusal;
    this.#refusal = undefined;
    try {
      await this.options.prepare?.();
      this.#isPrepared = true;
    } catch (error) {
      this.#refusal = before;
      throw error;
    }
  }

  async #connect(): Promise<pg.Client> {
    const { url, applicationName } = this.options;
    const client = new pg.Client({
      connectionString: url,
      application_name: `${applicationName} watch`,
      stream: this.openSocket,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    });
    client.on('error', () => {
      if (this.#client === client) this.#drop();
      // The server may still work, although this connection is lost. So the next tick sends a new probe.
      this.#ticksUntilProbe = 0;
    });
    try {
      await client.connect();
    } catch (error) {
      void client.end().catch(() => undefined);
      throw error;
    }
    return client;
  }

  /** Derives the state from the error of a failed probe. */
  #takeFailure(error: unknown): void {
    // A timeout is ignored here, because `#tick` detects a server that does not answer.
    if (this.#timer === undefined || (error as Error).message === 'timeout expired') return;
    const { code } = error as { readonly code?: unknown };
    this.#refused = isRefusal(error) ? String(code) : undefined;
    // A server that refuses the login stays available, because open connections may still work. Each pool detects a
    // refused login by itself.
    const hasAnswered = error instanceof pg.DatabaseError && !/^57P/.test(String(code));
    if (!hasAnswered)
      this.#change(
        'unavailable',
        typeof code === 'string' ? `it cannot be reached (${code})` : 'the connection was lost',
      );
    else if (this.#state === undefined || this.#state === 'unavailable')
      this.#change('unavailable', `it refuses connections (${String(code)})`);
  }

  /**
   * Handles a server that is a standby. Closes the idle connections of the pools and the connection of the probes. New
   * connections resolve the host name again, which may then lead to the primary.
   */
  #changeToReadOnly(): void {
    this.#change('read_only', 'the server is a standby');
    for (const pool of this.#pools) pool.closeIdle();
    this.#drop();
  }

  #change(state: DatabaseState, reason: string): void {
    const before = this.#state;
    if (state === before) return;
    this.#state = state;
    this.#refusal = state === 'unavailable' ? new ServerUnavailableError(reason) : undefined;
    const now = performance.now();
    if (before !== undefined || state !== 'available')
      this.options.onChange?.({ state, reason, lastedMs: now - this.#since });
    this.#since = now;
    if (this.#refusal) for (const listener of this.#listeners) listener(this.#refusal);
    this.#resolveFirstState();
  }

  #destroySockets(): void {
    for (const socket of this.#sockets.keys()) socket.destroy();
    this.#silentTicks = 0;
  }

  #drop(): void {
    const client = this.#client;
    this.#client = undefined;
    client?.end().catch(() => undefined);
  }
}
