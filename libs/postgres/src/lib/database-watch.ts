import { Socket } from 'node:net';
import pg from 'pg';
import { DatabaseAwayError, isRefusal } from './unavailable.js';

/** `read_only`: it answers, and takes no writes: a standby that has not been promoted, or is not the one it was. */
export type DatabaseState = 'there' | 'read_only' | 'away';

/** A change of the state, for the log. */
export interface DatabaseStateChange {
  readonly state: DatabaseState;
  readonly reason: string;
  /** How long the state before it lasted. */
  readonly lastedMs: number;
}

/** For operators. */
export function stateInWords({ state, reason, lastedMs }: DatabaseStateChange): string {
  if (state === 'there') return `PostgreSQL is there again, after ${(lastedMs / 1_000).toFixed(1)} s`;
  return state === 'away' ? `PostgreSQL is away: ${reason}` : `PostgreSQL takes no writes: ${reason}`;
}

export interface DatabaseWatchOptions {
  readonly url: string;
  /** Shown in `pg_stat_activity`. */
  readonly applicationName: string;
  readonly onChange?: (change: DatabaseStateChange) => void;
  /** What is to be done before the server counts as there, until it succeeds. */
  readonly prepare?: () => Promise<void>;
}

/**
 * Silence is counted in turns of our own, so that neither a busy process nor a machine that stood still takes itself for a
 * server that is away.
 */
const SLICE_MS = 100;
/** How often the server is asked. */
const ASKED_EVERY_TURNS = 4;
/** Nobody has heard a byte from the server since it was asked: what begins now is refused, what runs may still come to its end. */
const SILENT_TURNS = 8;
/** Nothing that runs will: its connections are given up, and with them whoever waits. */
const LOST_TURNS = 25;
/** An attempt to connect whose packets were lost on the way is not worth more. */
const CONNECT_MS = 1_500;

type Waiting = (error: DatabaseAwayError) => void;

/**
 * Knows whether the server is there, over a connection of its own that asks all the time. A server is away when it refuses
 * connections, or when it is asked and no connection at all hears anything from it: a pool that is merely busy is not that.
 */
export class DatabaseWatch {
  readonly #sockets = new Map<Socket, number>();
  readonly #waiting = new Set<Waiting>();
  readonly #pools = new Set<{ closeIdle(): void }>();
  readonly #verdict: Promise<void>;
  #giveVerdict: () => void = () => undefined;
  #state: DatabaseState | undefined;
  #refusal: DatabaseAwayError | undefined = new DatabaseAwayError('not connected yet');
  #since = performance.now();
  #client: pg.Client | undefined;
  #isAsking = false;
  #silentTurns = 0;
  #turnsUntilAsked = 0;
  #isPrepared = false;
  #refused: string | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: DatabaseWatchOptions) {
    this.#verdict = new Promise((resolve) => (this.#giveVerdict = resolve));
  }

  /** Resolves once it is known how the server is. */
  async start(): Promise<void> {
    this.#timer = setInterval(() => this.#turn(), SLICE_MS).unref();
    this.#turn();
    await this.#verdict;
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#drop();
  }

  get state(): DatabaseState | undefined {
    return this.#state;
  }

  /** Why nothing should be asked of the server now; undefined when it is there. */
  get refusal(): DatabaseAwayError | undefined {
    return this.#refusal;
  }

  /** The SQLSTATE with which the server refuses our login, when that was its last word. */
  get refused(): string | undefined {
    return this.#refused;
  }

  /** Calls back as soon as the server is away. @returns what to call when that is of no interest any more */
  onceAway(waiting: Waiting): () => void {
    this.#waiting.add(waiting);
    return () => void this.#waiting.delete(waiting);
  }

  /** A pool whose connections are to be made anew where the server turns out to be a standby. */
  add(pool: { closeIdle(): void }): void {
    this.#pools.add(pool);
  }

  /** A socket for a connection of a pool: what it hears counts, and it is given up with the others. To be passed to the driver as `stream`. */
  readonly openSocket = (): Socket => {
    const socket = new Socket();
    this.#sockets.set(socket, 0);
    return socket.once('close', () => void this.#sockets.delete(socket));
  };

  #turn(): void {
    if (this.#hasHeard()) this.#silentTurns = 0;
    else if (this.#isAsking) this.#silentTurns += 1;
    if (this.#silentTurns >= SILENT_TURNS) this.#change('away', 'it does not answer');
    if (this.#silentTurns >= LOST_TURNS) this.#giveUp();
    if (this.#isAsking || --this.#turnsUntilAsked > 0) return;
    this.#turnsUntilAsked = ASKED_EVERY_TURNS;
    this.#isAsking = true;
    this.#ask().catch(() => undefined);
  }

  /** Whether anything has come on any connection since it was last asked. */
  #hasHeard(): boolean {
    let hasHeard = false;
    for (const [socket, before] of this.#sockets) {
      if (socket.bytesRead === before) continue;
      hasHeard = true;
      this.#sockets.set(socket, socket.bytesRead);
    }
    return hasHeard;
  }

  async #ask(): Promise<void> {
    try {
      this.#client ??= await this.#connect();
      const { rows } = await this.#client.query<{ is_standby: boolean }>('SELECT pg_is_in_recovery() AS is_standby');
      this.#refused = undefined;
      this.#silentTurns = 0;
      if (!this.#isPrepared) await this.#prepare();
      if (rows[0]?.is_standby) this.#changeToReadOnly();
      else this.#change('there', 'it answers');
    } catch (error) {
      this.#drop();
      this.#judge(error);
    } finally {
      this.#isAsking = false;
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
      connectionTimeoutMillis: CONNECT_MS,
    });
    client.on('error', () => {
      if (this.#client === client) this.#drop();
      // Whether that connection was lost or the server is asked at once.
      this.#turnsUntilAsked = 0;
    });
    try {
      await client.connect();
    } catch (error) {
      void client.end().catch(() => undefined);
      throw error;
    }
    return client;
  }

  /** What an attempt to ask says about the server. */
  #judge(error: unknown): void {
    // Silence is judged elsewhere.
    if (this.#timer === undefined || (error as Error).message === 'timeout expired') return;
    const { code } = error as { readonly code?: unknown };
    this.#refused = isRefusal(error) ? String(code) : undefined;
    // It is there, and whoever is connected already goes on: pools are told themselves when they want more.
    const isThere = error instanceof pg.DatabaseError && !/^57P/.test(String(code));
    if (!isThere)
      this.#change('away', typeof code === 'string' ? `it cannot be reached (${code})` : 'the connection was lost');
    else if (this.#state === undefined || this.#state === 'away')
      this.#change('away', `it lets nobody in (${String(code)})`);
  }

  /** Which server the name leads to is asked again with every connection, hence a new one each time. */
  #changeToReadOnly(): void {
    this.#change('read_only', 'it is a standby, or has become one');
    for (const pool of this.#pools) pool.closeIdle();
    this.#drop();
  }

  #change(state: DatabaseState, reason: string): void {
    const before = this.#state;
    if (state === before) return;
    this.#state = state;
    this.#refusal = state === 'away' ? new DatabaseAwayError(reason) : undefined;
    const now = performance.now();
    if (before !== undefined || state !== 'there')
      this.options.onChange?.({ state, reason, lastedMs: now - this.#since });
    this.#since = now;
    if (this.#refusal) for (const waiting of this.#waiting) waiting(this.#refusal);
    this.#giveVerdict();
  }

  #giveUp(): void {
    for (const socket of this.#sockets.keys()) socket.destroy();
    this.#silentTurns = 0;
  }

  #drop(): void {
    const client = this.#client;
    this.#client = undefined;
    client?.end().catch(() => undefined);
  }
}
