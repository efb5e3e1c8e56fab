import { ReadPool, SERVER_RUN } from '../read-pool.js';
import { HAS_UNREPORTED_WRITES } from './unreported-writes.js';
import { endOfLastRecord, REPLAYED, type WalPosition, WRITTEN } from './wal-position.js';

/** The state of the primary at one moment. */
export interface PrimarySample {
  /** The time at which the probe began, by `performance.now()`. */
  readonly at: number;
  readonly written: WalPosition;
  readonly hasUnreportedWrites: boolean;
  /** Identifies the cluster and the database. A replica of this database has the same value. */
  readonly identity: string;
}

/** The state of the replica at one moment. */
export interface ReplicaSample {
  readonly isStandby: boolean;
  readonly replayed: WalPosition;
  readonly identity: string;
  /** Identifies the server and its start, as `SERVER_RUN` reads it. */
  readonly run: string;
}

/** The answers of both servers to probes at the same time. A property is undefined when its server has not answered. */
export interface Round {
  readonly primary: PrimarySample | undefined;
  readonly replica: ReplicaSample | undefined;
  readonly problem?: unknown;
}

/** Pause in ms between two probes. */
const INTERVAL_MS = 200;
/** Time in ms for which the answer to a probe is valid, from the start of the probe. */
export const VALID_MS = 600;
/** Time limit of a probe in ms. */
const ROUND_MS = 500;

const IDENTITY = `(SELECT system_identifier FROM pg_control_system()) || '/' || current_database()`;

// The position is read after the lock was checked. So it includes all writes of a process that has released the lock.
const PRIMARY = `WITH looked AS MATERIALIZED (SELECT ${HAS_UNREPORTED_WRITES} AS found)
  SELECT found AS "hasUnreportedWrites", ${WRITTEN} AS written, ${IDENTITY} AS identity FROM looked`;
const REPLICA = `SELECT pg_is_in_recovery() AS "isStandby", coalesce(${REPLAYED}, 0) AS replayed,
  ${IDENTITY} AS identity, ${SERVER_RUN} AS run`;

export interface ReplicaWatchOptions {
  readonly primaryUrl: string;
  readonly replicaUrl: string;
  readonly applicationName: string;
  readonly onRound: (round: Round) => void;
}

/** Probes the primary and the replica all the time, with a connection of its own to each. */
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
