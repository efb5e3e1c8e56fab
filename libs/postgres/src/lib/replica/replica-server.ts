import { ReadPool, type ReadPoolOptions } from '../read-pool.js';
import { type WalPosition } from './wal-position.js';

/** Connections to one run of a replica's server: what is known of how far it has come holds for that alone. */
export class ReplicaServer {
  readonly reading: ReadPool;
  readonly counting: ReadPool;
  /** All that was committed before is there. It only grows. */
  replayed: WalPosition = 0;

  /** @param run  names the server and its start, see `SERVER_RUN` */
  constructor(
    readonly run: string,
    options: { readonly reading: ReadPoolOptions; readonly counting: ReadPoolOptions },
  ) {
    this.reading = new ReadPool({ ...options.reading, serverRun: run });
    this.counting = new ReadPool({ ...options.counting, serverRun: run });
  }

  /** Lets what runs come to its end. */
  async close(): Promise<void> {
    await Promise.all([this.reading.close(), this.counting.close()]);
  }
}
