import { Redis } from 'ioredis';

const PRODUCER_TIMEOUT_MS = 2_000;
const LONGEST_RECONNECT_MS = 1_000;

/** Makes Bull's connections and closes them: Bull leaves those that it did not make itself open. */
export class RedisConnections {
  private readonly connections: Redis[] = [];
  private isClosed = false;

  constructor(private readonly url: string) {}

  /** Gives up soon: whoever adds a job has its row to fall back on. */
  createProducer(): Redis {
    return this.create({ maxRetriesPerRequest: 1, commandTimeout: PRODUCER_TIMEOUT_MS });
  }

  /** Waits for jobs, and for Redis, as long as it takes. */
  createWaiting(): Redis {
    return this.create({ maxRetriesPerRequest: null });
  }

  /** For good: Bull connects once more while it closes, and that connection is not to be kept up. */
  close(): void {
    this.isClosed = true;
    for (const connection of this.connections) connection.disconnect();
  }

  private create(options: { readonly maxRetriesPerRequest: number | null; readonly commandTimeout?: number }): Redis {
    const connection = new Redis(this.url, {
      ...options,
      enableReadyCheck: false,
      // Without the check, ioredis says ready when this is through: after a connection that was lost meanwhile, and for good.
      disableClientInfo: true,
      retryStrategy: (times) => (this.isClosed ? null : Math.min(100 * times, LONGEST_RECONNECT_MS)),
    });
    this.connections.push(connection);
    return connection;
  }
}
