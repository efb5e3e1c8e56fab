import { ReadPool, SERVER_RUN } from '../read-pool.js';
import { HAS_UNREPORTED_WRITES } from './unreported-writes.js';
import { endOfLastRecord, REPLAYED, type WalPosition, WRITTEN } from './wal-position.js';

/** How the primary is at a moment. */
export interface PrimarySample {
  /** Before it was asked, on our clock. */
  readonly at: number;
  readonly written: WalPosition;
  readonly hasUnnotedWrites: boolean;
  /** Of the installation and the database in it: a replica has the same. */
  readonly identity: string;
}

/** How the replica is at a moment. */
export interface ReplicaSample {
  readonly isStandby: boolean;
  readonly replayed: WalPosition;
  readonly identity: string;
  /** See `SERVER_RUN`. */
  readonly run: string;
}

/** What both have said when they were asked at the same time; a part that is missing could not be had. */
export interface Round {
  readonly primary: PrimarySample | undefined;
  readonly replica: ReplicaSample | undefined;
  readonly problem?: unknown;
}

/** How often both are asked. */
const INTERVAL_MS = 200;
/** What they said holds for so long, counted from the question. */
export const VALID_MS = 600;
/** Longer than this nobody waits for an answer. */
const ROUND_MS = 500;

const IDENTITY = `(SELECT system_identifier FROM pg_control_system()) || '/' || current_database()`;

// The position is read after the lock was looked for: it is behind all that was written while somebody held it.
const PRIMARY = `WITH looked AS MATERIALIZED (SELECT ${HAS_UNREPORTED_WRITES} AS found)
  SELECT found AS "hasUnnotedWrites", ${WRITTEN} AS written, ${IDENTITY} AS identity FROM looked`;
const REPLICA = `SELECT pg_is_in_recovery() AS "isStandby", coalesce(${REPLAYED}, 0) AS replayed, ${IDENTITY} AS identity, ${SERVER_RUN} AS run`;

export interface ReplicaWatchOptions {
  readonly primaryUrl: string;
  readonly replicaUrl: string;
  readonly applicationName: string;
  readonly onRound: (round: Round) => void;
}

/** Asks the primary and the replica all the time how they are, on connections of its own: one each. */
export class ReplicaWatch {
  readonly #primary: ReadPool;
  readonly #replica: ReadPool;
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(private readonly options: ReplicaWatchOptions) {
    const pool = {
      applicationName: `${options.applicationName} replica watch`,
      size: 1,
      statementTimeoutMs: ROUND_MS,
      connectionTimeoutMs: ROUND_MS,
      graceMs: 0,
    };
    this.#primary = new ReadPool({ ...pool, url: options.primaryUrl });
    this.#replica = new ReadPool({ ...pool, url: options.replicaUrl });
    this.#next(0);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#round;
    await Promise.all([this.#primary.close(), this.#replica.close()]);
  }

  #next(delayMs: number): void {
    this.#timer = setTimeout(() => {
      this.#round = this.#ask().finally(() => {
        if (!this.#isStopped) this.#next(INTERVAL_MS);
      });
    }, delayMs).unref();
  }

  async #ask(): Promise<void> {
    const at = performance.now();
    const [primary, replica] = await Promise.allSettled([
      this.#primary.query<Omit<PrimarySample, 'at'>>({ text: PRIMARY, parameters: [] }),
      this.#replica.query<ReplicaSample>({ text: REPLICA, parameters: [] }),
    ]);
    const sample = primary.status === 'fulfilled' ? primary.value[0] : undefined;
    this.options.onRound({
      primary: sample && { ...sample, at, written: endOfLastRecord(sample.written) },
      replica: replica.status === 'fulfilled' ? replica.value[0] : undefined,
      ...(replica.status === 'rejected' && { problem: replica.reason as unknown }),
    });
  }
}
