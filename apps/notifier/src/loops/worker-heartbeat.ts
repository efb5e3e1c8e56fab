import { randomInt } from 'node:crypto';
import { hostname } from 'node:os';
import { ADVISORY_LOCKS } from '@ats/postgres';
import { ListenClient, type ListenClientOptions } from './listen-client.js';

/**
 * Seconds after which the lease of a worker without a heartbeat counts as expired. Reconnecting usually takes less
 * time, so a worker that has lost its connection does not count as dead.
 */
const GRACE_SECONDS = 3;

export interface LeaseColumns {
  /** The column with the end of the lease. */
  readonly until: string;
  /** The column with the number of the worker that has the lease. */
  readonly worker: string;
  /** Length of a lease in seconds. */
  readonly seconds: number;
}

/**
 * SQL condition that is true for leases that have expired. It is also true for leases that began more than 3 seconds
 * ago and whose worker has no heartbeat.
 */
export const expiredLeaseCondition = ({
  until,
  worker,
  seconds,
}: LeaseColumns): string => `(${until} < clock_timestamp()
  OR (${until} < clock_timestamp() + interval '${seconds - GRACE_SECONDS} seconds' AND NOT EXISTS (
    SELECT FROM pg_locks l
    WHERE l.locktype = 'advisory' AND l.classid = ${ADVISORY_LOCKS.workerHeartbeat} AND l.objid::bigint = ${worker}
      AND l.objsubid = 2 AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database()))))`;

/**
 * Shows that this worker is alive: it holds an advisory lock on a connection of its own. The lock ends with the
 * process. The leases of a dead worker then expire 3 seconds after the claim instead of after their full length.
 */
export class WorkerHeartbeat {
  /** Random number that identifies this worker while it lives. */
  readonly worker = randomInt(1, 2 ** 31 - 1);
  /** Host name and process id, for the log of attempts. */
  readonly workerName = `${hostname()}:${process.pid}`;
  private readonly client: ListenClient;

  constructor(options: Omit<ListenClientOptions, 'onConnect'>) {
    this.client = new ListenClient({
      ...options,
      onConnect: async (connection) => {
        await connection.query('SELECT pg_advisory_lock($1, $2)', [ADVISORY_LOCKS.workerHeartbeat, this.worker]);
      },
    });
  }

  /** Resolves after the first connection or after the first failed attempt to connect. */
  start(): Promise<void> {
    return this.client.start();
  }

  stop(): Promise<void> {
    return this.client.stop();
  }
}
