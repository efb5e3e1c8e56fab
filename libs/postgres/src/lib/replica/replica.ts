import { type ReadPoolOptions } from '../read-pool.js';
import { type PageReads, ReplicaReads } from './replica-reads.js';
import { ReplicaServer } from './replica-server.js';
import { type Round, ReplicaWatch, VALID_MS } from './replica-watch.js';
import { UnreportedWrites } from './unreported-writes.js';
import { type WalPosition } from './wal-position.js';

/**
 * The reason why the primary was read instead of the replica. The metric `api_replica_fallbacks_total` counts these
 * reads by reason:
 *
 * - `own_write`: the replica does not show the client's own writes yet
 * - `unknown_writes`: the writes of clients are not known at the moment
 * - `lagging`: the replica is too far behind
 * - `down`: the replica is unavailable or starting
 * - `promoted`: the server is no longer a standby
 * - `foreign`: the server is a standby of another database
 * - `failed`: a statement failed on the replica
 */
export type Fallback = 'own_write' | 'unknown_writes' | 'lagging' | 'down' | 'promoted' | 'foreign' | 'failed';

/** The values of the metrics about the replica. */
export interface ReplicaMeasures {
  /** Number of requests that were begun on the replica. */
  readonly reads: number;
  /** Number of requests that the primary answered, by reason. */
  readonly fallbacks: Readonly<Record<Fallback, number>>;
  /** Maximum age of the rows on the replica in seconds. Undefined while it is unknown. */
  readonly lagSeconds: number | undefined;
  readonly isUp: boolean;
}

/** State of the replica, for the log. */
export type ReplicaState = 'up' | Extract<Fallback, 'down' | 'promoted' | 'foreign'>;

export interface ReplicaOptions {
  readonly primaryUrl: string;
  readonly url: string;
  readonly applicationName: string;
  /** The limits of the pool of the replica, which are the same as for the primary. */
  readonly reading: Pick<ReadPoolOptions, 'size' | 'share' | 'statementTimeoutMs'>;
  readonly counting: Pick<ReadPoolOptions, 'size' | 'share' | 'statementTimeoutMs'>;
  readonly onChange?: ((state: ReplicaState, problem?: unknown) => void) | undefined;
}

/**
 * Maximum age in ms of rows that a client reads on the replica. The client's own writes are always visible. The limit
 * is needed, because long reads on the replica delay its replay.
 */
const MAX_LAG_MS = 5_000;
/**
 * Time in ms for which the position of a client's last write is remembered. A replica that is behind by more than this
 * time is not read at all.
 */
export const NOTED_MS = 12 * MAX_LAG_MS;
/**
 * Time limit in ms for a connection to the replica. It is short, because the replica is in the same network and the
 * primary can answer instead.
 */
const CONNECT_TIMEOUT_MS = 1_000;
/**
 * Delay in ms after which every other process has noticed the lock of unreported writes. The delay includes a margin
 * for clock drift.
 */
const NOTICED_MS = VALID_MS + 100;

interface Sample {
  readonly at: number;
  readonly written: WalPosition;
}

/**
 * A streaming replica for reads that may be some seconds old. A request never waits for the replica: it reads the
 * replica if the replica is recent enough, and otherwise the primary. Source: docs/reference/database.md, "Read
 * replica", and docs/adr/0019-pages-from-a-replica.md
 */
export class Replica {
  readonly unnoted: UnreportedWrites;
  readonly #watch: ReplicaWatch;
  readonly #fallbacks: Record<Fallback, number> = {
    own_write: 0,
    unknown_writes: 0,
    lagging: 0,
    down: 0,
    promoted: 0,
    foreign: 0,
    failed: 0,
  };
  readonly #closing = new Set<Promise<void>>();
  /** Samples of the primary, oldest first. */
  #samples: Sample[] = [];
  #server: ReplicaServer | undefined;
  #state: ReplicaState | undefined;
  /** Aborts the statements that run on the replica, when the replica is lost. */
  #lost: AbortController | undefined;
  #checkedAt = -Infinity;
  /** Everything that was committed before this time is visible on the replica. In ms of `performance.now()`. */
  #freshAt = -Infinity;
  /**
   * The minimum replay position of the replica for every read. The record of clients' writes may lack writes before
   * this position. Undefined from {@link distrust} until the primary has answered a probe.
   */
  #floor: WalPosition | undefined;
  #distrustedAt = -Infinity;
  #reads = 0;

  constructor(private readonly options: ReplicaOptions) {
    const { primaryUrl, url, applicationName } = options;
    this.unnoted = new UnreportedWrites({
      url: primaryUrl,
      applicationName: `${applicationName} unnoted writes`,
      noticedMs: NOTICED_MS,
      patienceMs: 2 * NOTICED_MS,
    });
    this.#watch = new ReplicaWatch({
      primaryUrl,
      replicaUrl: url,
      applicationName,
      onRound: (round) => this.#take(round),
    });
  }

  get measures(): ReplicaMeasures {
    const lagSeconds = Number.isFinite(this.#freshAt) ? (performance.now() - this.#freshAt) / 1_000 : undefined;
    return { reads: this.#reads, fallbacks: { ...this.#fallbacks }, lagSeconds, isUp: this.#state === 'up' };
  }

  /**
   * The reason why no request may read the replica now. Undefined when the replica serves all requests, except requests
   * of clients whose own last write it does not show yet.
   */
  get refusal(): Fallback | undefined {
    if (this.#state !== 'up') return this.#state ?? 'down';
    const now = performance.now();
    if (now - this.#checkedAt > VALID_MS) return 'down';
    if (now - this.#freshAt > MAX_LAG_MS) return 'lagging';
    return this.#floor === undefined ? 'unknown_writes' : undefined;
  }

  /**
   * Chooses the server for a page and its count. Adds the choice to the metrics.
   * @param written  position of the client's last write
   * @returns undefined when the primary must be read
   */
  readsFor(written: WalPosition, primary: PageReads): PageReads | undefined {
    const refusal = this.refusal;
    if (refusal) return this.refuse(refusal);
    const [server, lost] = [this.#server, this.#lost];
    if (!server || !lost || server.replayed < Math.max(written, this.#floor ?? Infinity))
      return this.refuse('own_write');
    this.#reads++;
    return new ReplicaReads({ server, primary, lost: lost.signal, onFailure: () => this.refuse('failed') });
  }

  /** Counts a read that goes to the primary. */
  refuse(reason: Fallback): undefined {
    this.#fallbacks[reason]++;
  }

  /**
   * Makes all reads go to the primary until the replica has replayed up to the primary's current position. Call it when
   * the record of clients' writes may be incomplete.
   */
  distrust(): void {
    this.#floor = undefined;
    this.#distrustedAt = performance.now();
  }

  async close(): Promise<void> {
    await Promise.all([this.#watch.stop(), this.unnoted.withdraw()]);
    await Promise.all([this.#server?.close(), ...this.#closing]);
  }

  #take({ primary, replica, problem }: Round): void {
    if (primary) this.#takePrimary(primary);
    const state = stateOf(primary, replica);
    if (state === undefined) return; // The state is unknown while the primary does not answer.
    if (state !== this.#state) {
      this.#state = state;
      this.options.onChange?.(state, problem);
    }
    if (state !== 'up' || !replica || !primary) return this.#lose();
    if (this.#server?.run !== replica.run) this.#connect(replica.run);
    if (!this.#server) return;
    this.#server.replayed = Math.max(this.#server.replayed, replica.replayed);
    this.#checkedAt = primary.at;
    const last = this.#samples.findLastIndex(({ written }) => written <= replica.replayed);
    if (last < 0) return;
    this.#freshAt = Math.max(this.#freshAt, this.#samples[last]?.at ?? -Infinity);
    this.#samples = this.#samples.slice(last);
  }

  #takePrimary({ at, written, hasUnreportedWrites }: NonNullable<Round['primary']>): void {
    if (hasUnreportedWrites) this.distrust();
    else if (this.#floor === undefined && at > this.#distrustedAt) this.#floor = written;
    // Old samples are not needed, because a replica that lags so far behind is not read.
    this.#samples = [...this.#samples.filter((sample) => at - sample.at <= 2 * MAX_LAG_MS), { at, written }];
  }

  #connect(run: string): void {
    this.#lose();
    const { url, applicationName } = this.options;
    const pool = (kind: 'reading' | 'counting'): ReadPoolOptions => {
      const { size, share, statementTimeoutMs } = this.options[kind];
      return {
        url,
        applicationName: `${applicationName} replica ${kind}`,
        size,
        share,
        statementTimeoutMs,
        connectionTimeoutMs: CONNECT_TIMEOUT_MS,
      };
    };
    this.#server = new ReplicaServer(run, { reading: pool('reading'), counting: pool('counting') });
    this.#lost = new AbortController();
  }

  /**
   * Aborts the statements that run on the replica, and closes its connections. The statements then run on the primary.
   */
  #lose(): void {
    const server = this.#server;
    if (!server) return;
    this.#server = undefined;
    this.#freshAt = -Infinity;
    this.#lost?.abort();
    this.#lost = undefined;
    const closing: Promise<void> = server
      .close()
      .catch(() => undefined)
      .finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
  }
}

function stateOf(primary: Round['primary'], replica: Round['replica']): ReplicaState | undefined {
  if (!replica) return 'down';
  if (!replica.isStandby) return 'promoted';
  if (!primary) return undefined;
  return primary.identity === replica.identity ? 'up' : 'foreign';
}
