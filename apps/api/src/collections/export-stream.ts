import { Readable } from 'node:stream';

/**
 * Maximum time in ms for which a client may read nothing. After this time, the connection is closed and the export
 * releases its database connection.
 */
const STALLED_MS = 30_000;
/**
 * Maximum duration of an export in ms. While an export runs, the database must keep old versions of all rows for its
 * snapshot.
 */
const MAX_MS = 30 * 60_000;
/** Maximum number of bytes that the export reads before the client takes them. */
const AHEAD_BYTES = 64 * 1024;

export interface ExportSource {
  /** The text of the answer in parts, none of which is empty. */
  readonly parts: AsyncIterator<Buffer, void, undefined>;
  /** Ends the source at once. @param isComplete  true when everything was sent to the client */
  readonly end: (isComplete: boolean) => void;
}

/** The body of an export. It reads the next part only after the client has taken the previous part. */
export class ExportStream extends Readable {
  #stalled: NodeJS.Timeout | undefined;
  readonly #deadline = setTimeout(
    () => this.destroy(new Error(`an export was ended, because it took longer than ${MAX_MS} ms`)),
    MAX_MS,
  ).unref();

  constructor(
    private readonly source: ExportSource,
    private readonly stalledMs = STALLED_MS,
  ) {
    super({ highWaterMark: AHEAD_BYTES });
  }

  override _read(): void {
    clearTimeout(this.#stalled);
    this.#send().catch((error: unknown) => this.destroy(error instanceof Error ? error : new Error(String(error))));
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    clearTimeout(this.#stalled);
    clearTimeout(this.#deadline);
    this.source.end(this.readableEnded);
    done(error);
  }

  async #send(): Promise<void> {
    const part = await this.source.parts.next();
    if (this.destroyed) return;
    if (part.done) this.push(null);
    else if (!this.push(part.value))
      this.#stalled = setTimeout(
        () => this.destroy(new Error(`an export was ended, because the client read nothing for ${this.stalledMs} ms`)),
        this.stalledMs,
      );
  }
}
