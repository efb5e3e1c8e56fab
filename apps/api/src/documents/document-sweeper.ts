import { deleteUnclaimedDocuments, endExpiredUploads } from '@ats/domain';
import { Database, runStatement } from '@ats/postgres';
import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DocumentStore } from './document-store.js';
import { reasonOf } from './reason.js';

const INTERVAL_MS = 60_000;
/** Number of sweeps between two sweeps that list all stored bytes. */
const SWEEPS_PER_LISTING = 60;
const BATCH = 100;
/**
 * Minimum age of bytes without a row before they are deleted. They are then too old for a request that still wants to
 * add their row, or for an upload that has not expired.
 */
const ORPHAN_MS = 24 * 60 * 60 * 1_000;

/**
 * Deletes documents that no application or candidate has claimed, expired uploads, and bytes whose rows are gone. It
 * runs in the API, because only the API has access to the folder with the bytes. Several processes may sweep at the
 * same time.
 * Source: docs/reference/documents.md, "Deletion".
 */
@Injectable()
export class DocumentSweeper implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #log = new Logger('documents');
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #sweeps = 0;

  constructor(
    private readonly database: Database,
    private readonly store: DocumentStore,
  ) {}

  onApplicationBootstrap(): void {
    this.#timer = setInterval(() => {
      this.#running = this.#running.then(() => this.#sweepQuietly());
    }, INTERVAL_MS).unref();
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
  }

  /** Sweeps once. @param now  the time from which the age of bytes is counted */
  async sweep(now = new Date()): Promise<void> {
    while ((await this.#sweepUnclaimed()) === BATCH);
    while ((await this.#sweepUploads()) === BATCH);
    while ((await this.#sweepRemoved()) === BATCH);
    if (this.#sweeps++ % SWEEPS_PER_LISTING === 0) await this.#sweepOrphans(new Date(now.getTime() - ORPHAN_MS));
  }

  async #sweepQuietly(): Promise<void> {
    try {
      await this.sweep();
    } catch (error) {
      this.#log.warn(`bytes of deleted documents and of expired uploads could not be removed: ${reasonOf(error)}`);
    }
  }

  #sweepUnclaimed(): Promise<number> {
    return this.database.transaction((transaction) => deleteUnclaimedDocuments(transaction, BATCH));
  }

  #sweepUploads(): Promise<number> {
    return this.database.transaction((transaction) => endExpiredUploads(transaction, BATCH));
  }

  /**
   * Deletes the bytes of deleted rows. A key leaves the table of removed documents only after its bytes are deleted.
   */
  #sweepRemoved(): Promise<number> {
    return this.database.transaction(async (transaction) => {
      const rows = await runStatement<{ storage_key: string }>(
        transaction,
        'SELECT storage_key FROM removed_documents ORDER BY removed_dt LIMIT $1 FOR UPDATE SKIP LOCKED',
        [BATCH],
      );
      const keys = rows.map(({ storage_key }) => storage_key);
      for (const key of keys) await this.store.delete(key);
      await runStatement(transaction, 'DELETE FROM removed_documents WHERE storage_key = ANY($1)', [keys]);
      return keys.length;
    });
  }

  /**
   * Deletes old bytes without a row. They are left when the process crashes after it has stored the bytes and before it
   * has stored the row. The store itself deletes the remains of writes that a crash has ended.
   */
  async #sweepOrphans(before: Date): Promise<void> {
    let keys: string[] = [];
    const deleteUnnamed = async (): Promise<void> => {
      const named = await this.database.query<{ storage_key: string }>(
        // Reads both tables in one statement. Between two statements, a part of an upload could become the bytes of a
        // document, and neither statement would find its key.
        `SELECT storage_key FROM documents WHERE storage_key = ANY($1)
         UNION ALL SELECT unnest(part_keys) FROM document_uploads WHERE part_keys && $1::uuid[]`,
        [keys],
      );
      const known = new Set(named.map(({ storage_key }) => storage_key));
      for (const key of keys) if (!known.has(key)) await this.store.delete(key);
      keys = [];
    };
    for await (const { key, changedAt } of this.store.list()) {
      if (changedAt < before) keys.push(key);
      if (keys.length === BATCH) await deleteUnnamed();
    }
    if (keys.length > 0) await deleteUnnamed();
    await this.store.deleteCutWrites(before);
  }
}
