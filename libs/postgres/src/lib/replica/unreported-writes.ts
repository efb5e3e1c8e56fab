import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { ADVISORY_LOCKS } from '../advisory-locks.js';

const CLASS = ADVISORY_LOCKS.unreportedWrites;
const OBJECT = 1;

/** SQL of whether some process cannot tell the others what its clients have written. */
export const HAS_UNREPORTED_WRITES = `EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND classid = ${CLASS} AND objid = ${OBJECT} AND objsubid = 2
  AND granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))`;

export interface UnreportedWritesOptions {
  readonly url: string;
  readonly applicationName: string;
  /** After this time everybody who reads a replica has looked for the lock. */
  readonly noticedMs: number;
  /** An answer waits no longer than this. */
  readonly patienceMs: number;
}

/**
 * Says on the primary that this process writes what the others do not hear of: a lock that all who read a replica look for, and
 * as long as there is one they read the primary. It goes with the process that holds it.
 */
export class UnreportedWrites {
  #held: Promise<pg.Client> | undefined;

  constructor(private readonly options: UnreportedWritesOptions) {}

  /** Resolves when the others know, at once after the first time; at the latest when patience ends. */
  async announce(): Promise<void> {
    const { patienceMs } = this.options;
    this.#held ??= this.#hold();
    await Promise.race([this.#held.catch(() => undefined), sleep(patienceMs, undefined, { ref: false })]);
  }

  /** What is written from now on is noted again. */
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
