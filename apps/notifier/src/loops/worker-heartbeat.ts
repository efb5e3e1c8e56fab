import { type Database } from '@ats/postgres';
import { randomInt } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Logger } from '@ats/logging';
import { faultLevel } from '../config/fault-level.js';

/** First half of the advisory locks that processes hold while they live; the second half is the number of the process. */
const PRESENCE_CLASS = 4_711;
/** A connection that breaks is usually back by then; a process that is gone is noticed right after. */
const GRACE_SECONDS = 3;
const RECONNECT_MS = 500;

export interface LeaseColumns {
  /** When the lease ends. */
  readonly until: string;
  /** Number of the process that has it. */
  readonly worker: string;
  readonly seconds: number;
}

/** A condition on rows that are being sent: the process that sends them has been gone for a while. */
export const deadWorkerCondition = ({ until, worker, seconds }: LeaseColumns): string => `(
  ${until} < clock_timestamp() + interval '${seconds - GRACE_SECONDS} seconds' AND NOT EXISTS (
    SELECT FROM pg_locks l
    WHERE l.locktype = 'advisory' AND l.classid = ${PRESENCE_CLASS} AND l.objid::bigint = ${worker} AND l.objsubid = 2
      AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())))`;

export interface WorkerPresenceOptions {
  readonly database: Database;
  readonly logger: Logger;
  /** Who is told when something was committed, by the channel on which that is said; all of them after every reconnection. */
  readonly listeners: Readonly<Record<string, () => void>>;
}

/**
 * One connection of its own that shows that this process lives (its lock goes when the process goes), and that hears when
 * there is something to do. Both only save time: without it leases expire and polling finds the rest.
 */
export class WorkerPresence {
  /** Tells processes apart for as long as they live. */
  readonly worker = randomInt(1, 2 ** 31 - 1);
  readonly workerName = `${hostname()}:${process.pid}`;
  private isStopping = false;
  private release: (() => void) | undefined;
  private running: Promise<void> | undefined;

  constructor(private readonly options: WorkerPresenceOptions) {}

  /** Resolves when the first connection stands, or when it could not be had. */
  start(): Promise<void> {
    return new Promise((resolve) => {
      this.running ??= this.run(resolve);
    });
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    this.release?.();
    await this.running;
  }

  private async run(onFirst: () => void): Promise<void> {
    while (!this.isStopping) {
      try {
        await this.hold(onFirst);
      } catch (error) {
        this.options.logger[faultLevel(error, 'warn')](
          { err: error },
          'the connection that shows that this process lives was lost',
        );
      }
      onFirst();
      if (!this.isStopping) await sleep(RECONNECT_MS);
    }
  }

  private async hold(onHeld: () => void): Promise<void> {
    const client = await this.options.database.pool.connect();
    try {
      const lost = new Promise<void>((resolve, reject) => {
        this.release = resolve;
        client.once('error', reject);
        client.once('end', () => reject(new Error('the connection was closed')));
      });
      // Handled below; this keeps a loss during the next statements from counting as unhandled.
      lost.catch(() => undefined);
      client.on('error', () => undefined);
      const { listeners } = this.options;
      client.on('notification', ({ channel }) => listeners[channel]?.());
      for (const channel of Object.keys(listeners)) await client.query(`LISTEN ${channel}`);
      await client.query('SELECT pg_advisory_lock($1, $2)', [PRESENCE_CLASS, this.worker]);
      onHeld();
      for (const wake of Object.values(listeners)) wake();
      await lost;
    } finally {
      client.removeAllListeners('notification');
      // Closed, not handed back: its lock and its LISTEN go with it.
      client.release(true);
    }
  }
}
