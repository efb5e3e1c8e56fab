import { Readable } from 'node:stream';

/** A client that takes nothing for so long loses its connection, and the export its connection to the database. */
const STALLED_MS = 30_000;
/** Longest time of an export, because the database keeps old versions of all rows for it. */
const MAX_MS = 30 * 60_000;
/** Bytes that are read before the client takes them. */
const AHEAD_BYTES = 64 * 1024;

export interface ExportSource {
  /** The parts of the answer, none of them empty. */
  readonly parts: AsyncIterator<Buffer, void, undefined>;
  /** Ends the source at once. @param isComplete  true when the client was sent everything */
  readonly end: (isComplete: boolean) => void;
}

/** The body of an export. It asks for a part when the client has taken the part before. */
export class ExportStream extends Readable {
  #stalled: NodeJS.Timeout | undefined;
  readonly #deadline = setTimeout(() => this.destroy(new Error('the export takes too long')), MAX_MS).unref();

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
      this.#stalled = setTimeout(() => this.destroy(new Error('the client stopped reading')), this.stalledMs);
  }
}
