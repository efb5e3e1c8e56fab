import { AsyncLocalStorage } from 'node:async_hooks';
import { type AuditEntry, insertEntries } from '@ats/domain';
import { type Database, isUnavailable } from '@ats/postgres';
import { type Logger } from '@nestjs/common';

export interface AuditBufferOptions {
  readonly database: Database;
  readonly log: Pick<Logger, 'warn' | 'error'>;
  readonly note: (result: 'written' | 'dropped', entries: number) => void;
  /** Receives the id of each transaction that has only added audit entries. */
  readonly noteTransaction?: (transaction: number) => void;
  /** Maximum memory of the buffered entries in bytes. Defaults to 16 MiB. */
  readonly maxBytes?: number;
  /** Time limit in ms for writing the last batches at shutdown. Defaults to 3 seconds. */
  readonly closeMs?: number;
}

/** Longest time in ms between a request and the write of its entry, while the database is available. */
export const FLUSH_MS = 500;
const RETRY_MS = 1_000;
/** Number of entries of a full batch, which is written at once. */
const BATCH = 500;
const MAX_BYTES = 16 * 1024 * 1024;
/** Approximate memory of an entry in bytes, without its ids. */
const ENTRY_BYTES = 400;
const CLOSE_MS = 3_000;

interface Waiting {
  readonly entry: AuditEntry;
  readonly bytes: number;
  readonly since: number;
}

/**
 * Collects entries about reads and refusals, and writes them in batches, so that no request waits for its entry. While
 * the database accepts no writes, the buffer keeps entries up to a maximum size. It drops and counts further entries.
 * Source: docs/reference/audit.md, "Writing".
 */
export class AuditBuffer {
  /**
   * Runs a function outside of every request. A batch has entries of many requests, so no single request may lend it
   * its context.
   */
  readonly #outsideRequests = AsyncLocalStorage.snapshot();
  #waiting: Waiting[] = [];
  #bytes = 0;
  /** Number of entries that were dropped since the last log line about dropped entries. */
  #dropped = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;

  constructor(private readonly options: AuditBufferOptions) {}

  get size(): number {
    return this.#waiting.length;
  }

  /** Age of the oldest entry in seconds. It is 0 when the buffer is empty. */
  get ageSeconds(): number {
    const [oldest] = this.#waiting;
    return oldest ? (performance.now() - oldest.since) / 1_000 : 0;
  }

  add(entry: AuditEntry): void {
    const bytes = ENTRY_BYTES + (typeof entry.itemIds === 'string' ? entry.itemIds.length : 0);
    if (this.#bytes + bytes > (this.options.maxBytes ?? MAX_BYTES)) return this.#drop(1);
    this.#waiting.push({ entry, bytes, since: performance.now() });
    this.#bytes += bytes;
    if (this.#waiting.length === BATCH) this.#writeSoon(0);
    else if (!this.#timer) this.#writeSoon(FLUSH_MS);
  }

  /** Writes all entries before the shutdown. Drops the entries that the database does not accept in time. */
  async close(): Promise<void> {
    const timeout = new Promise<void>((resolve) => void setTimeout(resolve, this.options.closeMs ?? CLOSE_MS).unref());
    await Promise.race([this.#write(), timeout]);
    clearTimeout(this.#timer);
    if (this.#waiting.length > 0) this.#drop(this.#waiting.length);
    this.#waiting = [];
    this.#reportDropped();
  }

  #writeSoon(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      // Forgets the timer that has run. `#write` does not do this while another call writes a batch, and then the next
      // entry would start no new timer.
      this.#timer = undefined;
      void this.#outsideRequests(() => this.#write());
    }, ms).unref();
  }

  /** Writes until the buffer is empty or the database is unavailable. Never rejects. */
  #write(): Promise<void> {
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined;
    });
    return this.#writing;
  }

  async #writeAll(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.slice(0, BATCH);
      const result = await this.#writeBatch(batch.map(({ entry }) => entry));
      if (result === 'unavailable') return this.#writeSoon(RETRY_MS);
      this.#waiting.splice(0, batch.length);
      this.#bytes -= batch.reduce((sum, { bytes }) => sum + bytes, 0);
      if (result === 'refused') this.#drop(batch.length);
      else this.options.note('written', batch.length);
    }
    this.#reportDropped();
  }

  async #writeBatch(entries: readonly AuditEntry[]): Promise<'written' | 'refused' | 'unavailable'> {
    const { database, log } = this.options;
    const { name, text, parameters } = insertEntries(entries);
    try {
      const { rows } = await database.pool.query<{ transaction: string }>({ name, text, values: [...parameters] });
      this.options.noteTransaction?.(Number(rows[0]?.transaction));
      return 'written';
    } catch (error) {
      if (isUnavailable(error)) return 'unavailable';
      // Drops the batch. Entries that the database refuses would otherwise block all later entries.
      log.error(error);
      return 'refused';
    }
  }

  #drop(entries: number): void {
    if (this.#dropped === 0) this.options.log.warn('the database refuses audit entries, so they are dropped');
    this.#dropped += entries;
    this.options.note('dropped', entries);
  }

  #reportDropped(): void {
    if (this.#dropped > 0) this.options.log.error(`dropped ${this.#dropped} audit entries`);
    this.#dropped = 0;
  }
}
