import { type Queue } from 'bull';
import { type Logger, rarely } from '@ats/logging';

/** A Redis that keeps connections open and does not answer costs the time limit of a command each time it is asked. */
const DISTRUSTED_FOR_MS = 10_000;

/** Whether Redis is to be relied on at this moment: it is connected, and has done lately what it was asked. */
export class RedisTrust {
  private readonly queues: Queue[] = [];
  private distrustedUntil = Number.NEGATIVE_INFINITY;
  private wasUsable = true;
  /** While Redis is away each of the connections complains with every try. */
  private readonly reportError: (error: Error) => void;

  constructor(private readonly logger: Logger) {
    this.reportError = rarely((error) => logger.warn({ err: error }, 'Redis'));
  }

  /** The connection of this queue counts, too. */
  follow(queue: Queue): void {
    this.queues.push(queue);
    queue.on('error', this.reportError);
  }

  isUsable(): boolean {
    const isUsable =
      performance.now() >= this.distrustedUntil && this.queues.every(({ client }) => client.status === 'ready');
    if (isUsable !== this.wasUsable) {
      this.wasUsable = isUsable;
      this.logger.warn(
        isUsable ? 'Redis is back: sending through Bull' : 'Redis is away or does not answer: sending without Bull',
      );
    }
    return isUsable;
  }

  /** It did not do what it was asked. For a while nothing is asked of it. */
  noteFailure(): void {
    this.distrustedUntil = performance.now() + DISTRUSTED_FOR_MS;
  }
}
