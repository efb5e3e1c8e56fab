import { publishChanges } from '@ats/domain';
import { Database } from '@ats/postgres';
import { Injectable } from '@nestjs/common';

/**
 * Publishes the new changes when a client reads the feed. The feed therefore works without a notifier, and a client
 * finds its own write at once. Concurrent requests share one statement.
 */
@Injectable()
export class ChangePublisher {
  #running: Promise<unknown> = Promise.resolve();
  #next: Promise<void> | undefined;

  constructor(private readonly database: Database) {}

  /** Resolves when all changes are published that were committed before the call. */
  flush(): Promise<void> {
    this.#next ??= this.#running.then(() => {
      this.#next = undefined;
      const run = publishChanges(this.database);
      this.#running = run.catch(() => undefined);
      return run.then(() => undefined);
    });
    return this.#next;
  }
}
