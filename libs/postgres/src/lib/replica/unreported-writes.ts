import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { ADVISORY_LOCKS } from '../advisory-locks.js';

const CLASS = ADVISORY_LOCKS.unreportedWrites;
const OBJECT = 1;

/** SQL condition that is true when any process holds the lock of unreported writes. */
export const HAS_UNREPORTED_WRITES = `EXISTS (
  SELECT FROM pg_locks WHERE locktype = 'advisory' AND classid = ${CLASS} AND objid = ${OBJECT} AND objsubid = 2
  AND granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))`;

export interface UnreportedWritesOptions {
  readonly url: string;
  readonly applicationName: string;
  /** Time in ms after which every reader of a replica has noticed the lock. */
  readonly noticedMs: number;
  /** Maximum time in ms for which `announce` waits. */
  readonly patienceMs: number;
}

/**
 * Tells the other processes that this process cannot report the writes of its clients to them. For this purpose, it
 * holds an advisory lock on the primary. While any process holds this lock, all processes read the primary. The lock
 * ends with its process.
 */
export class UnreportedWrites {
  #held: Promise<pg.Client> | undefined;

  constructor(private readonly options: UnreportedWritesOptions) {}

  /** Takes the lock. Resolves when the other processes have noticed it, or after `patienceMs`. */
  async announce(): Promise<void> {
    const { patienceMs } = this.options;
    this.#held ??= this.#hold();
    await Promise.race([this.#held.catch(() => undefined), sleep(patienceMs, undefined, { ref: false })]);
  }

  /** Releases the lock, because writes are reported again. */
  async withdraw(): Promise<void> {
    const held = this.#held;
    this.#held = undefined;
    await held?.then((client) => client.end()).catch(() => undefined);
  }

  async #hold(): Promise<pg.Client> {
    const { url, applicationName, noticedMs, patienceMs } = this.options;
    const client = new pg.Client({
      connectionString: url,
      application_name: applicationName,
      connectionTimeoutMillis: patienceMs,
      query_timeout: patienceMs,
      keepAlive: true,
    });
    const forget = (): void => {
      if (this.#held === held) this.#held = undefined;
    };
    const held = (async () => {
      try {
        client
          .once('error', forget)
          .once('end', forget)
          .on('error', () => undefined);
        await client.connect();
        await client.query('SELECT pg_advisory_lock_shared($1, $2)', [CLASS, OBJECT]);
      } catch (error) {
        forget();
        client.end().catch(() => undefined);
        throw error;
      }
      await sleep(noticedMs, undefined, { ref: false });
      return client;
    })();
    return held;
  }
}
