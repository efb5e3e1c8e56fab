import { ReadPool, type ReadPoolOptions } from '../read-pool.js';
import { type WalPosition } from './wal-position.js';

/** The connections to a replica until its server restarts. After a restart, its replay position is no longer valid. */
export class ReplicaServer {
  readonly reading: ReadPool;
  readonly counting: ReadPool;
  /** The position up to which the replica shows every commit. It only grows. */
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
