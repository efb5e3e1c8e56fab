import { type Consumer, ConsumerLimitError } from './consumer.js';

/** Maximum time in ms that a statement waits for earlier statements of its consumer. */
export const SHARE_WAIT_MS = 5_000;

export interface SharesOptions {
  /** Number of tasks of one consumer that may run at the same time. */
  readonly share: number;
  /** Maximum time in ms that a task waits for its turn. */
  readonly waitMs: number;
}

interface Waiter {
  readonly client: Client;
  readonly start: () => void;
}

/** The tasks of one consumer. */
interface Line {
  running: number;
  /** The waiting tasks in the order of their arrival. */
  readonly waiting: Set<Waiter>;
}

type Client = Pick<Consumer, 'key' | 'isCostly' | 'isGone'>;

/**
 * Limits the number of tasks of each consumer that run at the same time. A costly consumer runs only one task at a
 * time. Further tasks wait in a queue of that consumer, in the order of their arrival. A task never waits for a task of
 * another consumer.
 * Source: docs/reference/limits.md, "Share of the connections".
 */
export class Shares {
  /** Maps the key of a consumer to its tasks. A consumer without tasks has no entry. */
  readonly #lines = new Map<string, Line>();

  constructor(private readonly options: SharesOptions) {}

  /** Number of tasks that wait for their turn. */
  get waiting(): number {
    let count = 0;
    for (const { waiting } of this.#lines.values()) count += waiting.size;
    return count;
  }

  /**
   * Runs a task when the number of running tasks of the consumer allows it, at once if possible.
   * @throws {ConsumerLimitError} when the task would have to wait too long, or the consumer is gone before its turn
   */
  async run<Result>(client: Client, task: () => Promise<Result>): Promise<Result> {
    const line = this.#lines.get(client.key) ?? { running: 0, waiting: new Set() };
    this.#lines.set(client.key, line);
    if (line.waiting.size === 0 && this.#hasPlace(line, client)) line.running += 1;
    else await this.#wait(line, client);
    try {
      return await task();
    } finally {
      this.#leave(client.key, line);
    }
  }

  /** Resolves when it is the turn of the task. */
  async #wait(line: Line, client: Client): Promise<void> {
    const isInTime = await new Promise<boolean>((resolve) => {
      const waiter: Waiter = { client, start: () => (clearTimeout(timer), resolve(true)) };
      const timer = setTimeout(() => (line.waiting.delete(waiter), resolve(false)), this.options.waitMs);
      line.waiting.add(waiter);
    });
    if (!isInTime) throw new ConsumerLimitError('connections');
    if (!client.isGone) return;
    this.#leave(client.key, line);
    throw new ConsumerLimitError('connections');
  }

  /** Ends a task, and starts the waiting tasks whose turn has come. */
  #leave(key: string, line: Line): void {
    line.running -= 1;
    for (const next of line.waiting) {
      if (!this.#hasPlace(line, next.client)) break;
      line.waiting.delete(next);
      line.running += 1;
      next.start();
    }
    if (line.running === 0) this.#lines.delete(key);
  }

  #hasPlace({ running }: Line, { isCostly }: Client): boolean {
    return running < (isCostly ? 1 : this.options.share);
  }
}
