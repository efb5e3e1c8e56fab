import { claimScan, type ClaimedScan, finishScan, postponeScan } from '@ats/domain';
import { Database } from '@ats/postgres';
import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy, Optional } from '@nestjs/common';
import { DocumentScanner, ScannerError } from './document-scanner.js';
import { DocumentStore } from './document-store.js';
import { reasonOf } from './reason.js';

const INTERVAL_MS = 2_000;
/** Number of documents that are scanned at the same time. One large document therefore does not delay the others. */
const CONCURRENCY = 4;

/**
 * Scans the documents whose scan is pending, including those that were uploaded to processes that have ended. A scan
 * that fails is repeated until the scanner gives a result.
 * Source: docs/reference/documents.md, "Virus scan".
 */
@Injectable()
export class DocumentScans implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #log = new Logger('documents');
  readonly #running = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | undefined;
  #isEnding = false;

  constructor(
    private readonly database: Database,
    private readonly store: DocumentStore,
    /** The scanner. Absent without `CLAMAV_URL`. */
    @Optional() private readonly scanner?: DocumentScanner,
  ) {}

  /** True when new documents must be scanned. */
  get isOn(): boolean {
    return this.scanner !== undefined;
  }

  onApplicationBootstrap(): void {
    if (this.isOn) this.#timer = setInterval(() => this.wake(), INTERVAL_MS).unref();
  }

  async onModuleDestroy(): Promise<void> {
    this.#isEnding = true;
    clearInterval(this.#timer);
    await Promise.all(this.#running);
  }

  /** Scans the documents that are due, in the background. */
  wake(): void {
    const { scanner } = this;
    if (!scanner || this.#isEnding || this.#running.size >= CONCURRENCY) return;
    const running: Promise<void> = this.#scanAll(scanner).finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  async #scanAll(scanner: DocumentScanner): Promise<void> {
    try {
      while (!this.#isEnding) {
        const claimed = await this.database.transaction(claimScan);
        if (!claimed) return;
        await this.#scan(scanner, claimed);
      }
    } catch (error) {
      this.#log.warn(`the virus scan of waiting documents stopped; the next round continues it: ${reasonOf(error)}`);
    }
  }

  async #scan(scanner: DocumentScanner, claimed: ClaimedScan): Promise<void> {
    try {
      const content = await this.store.read(claimed.storage_key);
      if (!content) throw new ScannerError('the document store has no bytes of this document');
      const result = await scanner.scan(content);
      await this.database.transaction((transaction) => finishScan(transaction, claimed.id, result));
      if (result === 'infected') this.#log.warn(`document ${claimed.id} is infected`);
    } catch (error) {
      this.#log.warn(`document ${claimed.id} could not be scanned for viruses: ${reasonOf(error)}`);
      await this.database.transaction((transaction) => postponeScan(transaction, claimed));
    }
  }
}
