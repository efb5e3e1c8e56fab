import { type Database } from '@ats/postgres';

/**
 * Time in ms from an asynchronous commit to its flush to disk. When PostgreSQL crashes in between, the results are lost
 * and their messages are sent again.
 */
const FLUSH_AFTER_MS = 10;

/** SQL that commits synchronously. PostgreSQL then writes all earlier commits to disk, too. */
const FLUSH = `SELECT pg_logical_emit_message(true, 'ats', '')`;

/**
 * Flushes results that were committed asynchronously. So the next message of a chain does not wait for the disk, and
 * PostgreSQL has the results on disk soon.
 */
export class ResultFlush {
  private timer: NodeJS.Timeout | undefined;
  private running = false;
  /** True when results were committed since the running flush began. */
  private isRequested = false;

  constructor(private readonly database: Pick<Database, 'query'>) {}

  /** Call this after an asynchronous commit. Only one flush runs at a time, so a slow disk occupies one connection. */
  request(): void {
    if (this.running) this.isRequested = true;
    else this.timer ??= setTimeout(() => void this.flush(), FLUSH_AFTER_MS);
  }

  private async flush(): Promise<void> {
    this.timer = undefined;
    this.running = true;
    this.isRequested = false;
    try {
      await this.database.query(FLUSH);
    } catch {
      // PostgreSQL writes all commits to disk by itself within a second.
    }
    this.running = false;
    if (this.isRequested) this.request();
  }
}
