import { ReadPool, type ReadPoolOptions } from '../read-pool.js';
import { type WalPosition } from './wal-position.js';

/** Connections to a replica until its server restarts. The replay position is not valid after a restart. */
export class ReplicaServer {
  readonly reading: ReadPool;
  readonly counting: ReadPool;
  /** The replica shows every commit up to this position. It only grows. */
  replayed: WalPosition = 0;

  /** @param run  identifies the server and its start, see `SERVER_RUN` */
  constructor(
    readonly run: string,
    options: { readonly reading: ReadPoolOptions; readonly counting: ReadPoolOptions },
  ) {
    this.reading = new ReadPool({ ...options.reading, serverRun: run });
    this.counting = new ReadPool({ ...options.counting, serverRun: run });
  }

  /** Closes all connections after their running statements have finished. */
  async close(): Promise<void> {
    await Promise.all([this.reading.close(), this.counting.close()]);
  }
}
