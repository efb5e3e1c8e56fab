import { type Logger, rarely } from '@ats/logging';
import { type Queue } from 'bull';

/**
 * Time in ms for which Redis is not used after a failed command. Otherwise each call to a Redis that does not answer
 * would wait for the command timeout.
 */
const OPEN_MS = 10_000;

/** Stops the use of Redis while a connection is down, and for 10 s after a failed command. */
export class RedisCircuitBreaker {
  private readonly queues: Queue[] = [];
  private openUntil = Number.NEGATIVE_INFINITY;
  private wasUsable = true;
  /**
   * Logs only few errors, because each connection reports an error for each attempt to reconnect while Redis is
   * unavailable.
   */
  private readonly reportError: (error: Error) => void;

  constructor(private readonly logger: Logger) {
    this.reportError = rarely((error) => logger.warn({ err: error }, 'a connection to Redis failed'));
  }

  /** Watches the connections of this queue, so that `isUsable` considers them. */
  watch(queue: Queue): void {
    this.queues.push(queue);
    queue.on('error', this.reportError);
  }

  isUsable(): boolean {
    const isUsable =
      performance.now() >= this.openUntil && this.queues.every(({ client }) => client.status === 'ready');
    if (isUsable !== this.wasUsable) {
      this.wasUsable = isUsable;
      this.logger.warn(
        isUsable
          ? 'Redis is available again: the notifier sends through Bull'
          : 'Redis is unavailable: the notifier sends without Bull',
      );
    }
    return isUsable;
  }

  /** Opens the circuit breaker after a failed command. */
  recordFailure(): void {
    this.openUntil = performance.now() + OPEN_MS;
  }
}
