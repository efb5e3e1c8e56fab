import { type ReadPoolOptions } from '../read-pool.js';
import { type PageReads, ReplicaReads } from './replica-reads.js';
import { ReplicaServer } from './replica-server.js';
import { type Round, ReplicaWatch, VALID_MS } from './replica-watch.js';
import { UnreportedWrites } from './unreported-writes.js';
import { type WalPosition } from './wal-position.js';

/**
 * Why the primary was read: what the caller wrote is not there yet (`own_write`); who wrote what is not known (`unknown_writes`); the
 * replica is too far behind (`lagging`), away or starting (`down`), no standby any more (`promoted`), one of another database
 * (`foreign`), or has not answered the statement (`failed`).
 */
export type Fallback = 'own_write' | 'unknown_writes' | 'lagging' | 'down' | 'promoted' | 'foreign' | 'failed';

/** For those who measure. */
export interface ReplicaMeasures {
  /** Requests that began on the replica. */
  readonly reads: number;
  /** Those that the primary has answered, by why. */
  readonly fallbacks: Readonly<Record<Fallback, number>>;
  /** How old what it shows may be; undefined as long as it is not known. */
  readonly lagSeconds: number | undefined;
  readonly isUp: boolean;
}

/** What changes with the replica, for the log. */
export type ReplicaState = 'up' | Extract<Fallback, 'down' | 'promoted' | 'foreign'>;

export interface ReplicaOptions {
  readonly primaryUrl: string;
  readonly url: string;
  readonly applicationName: string;
  /** As those to the primary. */
  readonly reading: Pick<ReadPoolOptions, 'size' | 'statementTimeoutMs'>;
  readonly counting: Pick<ReadPoolOptions, 'size' | 'statementTimeoutMs'>;
  readonly onChange?: ((state: ReplicaState, problem?: unknown) => void) | undefined;
}

/** What is shown to others than its writer is never older. Counts on a replica's long reads, which hold up its replay, to be rare. */
const MAX_LAG_MS = 5_000;
/** After this time what somebody wrote need not be remembered: no replica is read that does not show it. */
export const NOTED_MS = 12 * MAX_LAG_MS;
/** A connection to a replica in the same network is made in less; the primary is there. */
const CONNECT_MS = 1_000;
/** Between two looks of another process for unnoted writes, and a little for clocks. */
const NOTICED_MS = VALID_MS + 100;

interface Sample {
  readonly at: number;
  readonly written: WalPosition;
}

/**
 * A streaming replica for what need not be of this very moment. Never waits for it, never needs it: whoever asks gets the server
 * to read from, or why it is the primary. See docs/adr/0019.
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
  /** Of the primary, oldest first, none that can be of use left out. */
  #samples: Sample[] = [];
  #server: ReplicaServer | undefined;
  #state: ReplicaState | undefined;
  /** Of the server: whoever waits for it need not any more. */
  #lost: AbortController | undefined;
  #checkedAt = -Infinity;
  /** All that was committed before this moment is there. */
  #freshAt = -Infinity;
  /** What was written before this is not known by its writer; undefined until the primary has been asked. */
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

  /** Whether it is worth finding out what the caller has written. @returns why not */
  get refusal(): Fallback | undefined {
    if (this.#state !== 'up') return this.#state ?? 'down';
    const now = performance.now();
    if (now - this.#checkedAt > VALID_MS) return 'down';
    if (now - this.#freshAt > MAX_LAG_MS) return 'lagging';
    return this.#floor === undefined ? 'unknown_writes' : undefined;
  }

  /**
   * Where to read a page and its count for somebody who has written up to a position.
   * @returns undefined when that is the primary
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

  /** Counts a read that went to the primary. */
  refuse(reason: Fallback): undefined {
    this.#fallbacks[reason]++;
  }

  /** What was noted of writes may be lost: until the replica has come to where the primary is now, nobody is sent there. */
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
    if (state === undefined) return; // the primary is away, and without it nothing can be said
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

  #takePrimary({ at, written, hasUnnotedWrites }: NonNullable<Round['primary']>): void {
    if (hasUnnotedWrites) this.distrust();
    else if (this.#floor === undefined && at > this.#distrustedAt) this.#floor = written;
    // Whoever is further behind than that is not read, so what came before is of no use.
    this.#samples = [...this.#samples.filter((sample) => at - sample.at <= 2 * MAX_LAG_MS), { at, written }];
  }

  #connect(run: string): void {
    this.#lose();
    const { url, applicationName } = this.options;
    const pool = (kind: 'reading' | 'counting'): ReadPoolOptions => {
      const { size, statementTimeoutMs } = this.options[kind];
      return {
        url,
        applicationName: `${applicationName} replica ${kind}`,
        size,
        statementTimeoutMs,
        connectionTimeoutMs: CONNECT_MS,
      };
    };
    this.#server = new ReplicaServer(run, { reading: pool('reading'), counting: pool('counting') });
    this.#lost = new AbortController();
  }

  /** Whoever waits for it goes on elsewhere; its connections are given up. */
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
