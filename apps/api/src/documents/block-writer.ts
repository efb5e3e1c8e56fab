import { type FileHandle } from 'node:fs/promises';
import { release } from './released.js';

/** Number of bytes of one write. Two blocks of a file are in memory. */
const BLOCK_BYTES = 256 * 1024;
/** Number of bytes that are flushed to the disk together, while the next ones arrive. */
const FLUSH_BYTES = 8 * 1024 * 1024;

/**
 * Writes bytes to a file in large blocks, because each call of the file system costs more than copying a chunk. While a
 * block is written, the next one is filled. Bytes are flushed from time to time, so that little is left to do at the
 * end.
 */
export class BlockWriter {
  #block: Buffer = Buffer.allocUnsafeSlow(BLOCK_BYTES);
  /** The block that is being written. */
  #busy: Buffer | undefined;
  #filled = 0;
  #writing: Promise<void> = Promise.resolve();
  /** Number of bytes since the last flush began. */
  #unflushed = 0;
  #flushing: Promise<void> = Promise.resolve();

  constructor(private readonly file: FileHandle) {}

  /** Copies the bytes, so the chunk may be changed afterwards. */
  async add(chunk: Buffer): Promise<void> {
    for (let at = 0; at < chunk.length; ) {
      const copied = chunk.copy(this.#block, this.#filled, at);
      at += copied;
      this.#filled += copied;
      if (this.#filled === BLOCK_BYTES) await this.#write();
    }
  }

  /** Writes the rest, and waits until all bytes are on the disk. */
  async end(): Promise<void> {
    await this.#write();
    await this.#writing;
    // Waits for the last flush, because the system reports an error of a flush only once. A later flush could succeed.
    await this.#flushing;
    await this.file.datasync();
  }

  /** Waits for the last write and flush, also when they fail. No method may be called afterwards. */
  async close(): Promise<void> {
    await Promise.allSettled([this.#writing, this.#flushing]);
    release(this.#block);
    if (this.#busy) release(this.#busy);
  }

  async #write(): Promise<void> {
    await this.#writing;
    const full = this.#block;
    this.#writing = writeAll(this.file, full.subarray(0, this.#filled));
    // Prevents an unhandled rejection. The next call of `#write` or `end` throws the error.
    this.#writing.catch(() => undefined);
    this.#block = this.#busy ?? Buffer.allocUnsafeSlow(BLOCK_BYTES);
    this.#busy = full;
    this.#unflushed += this.#filled;
    this.#filled = 0;
    if (this.#unflushed >= FLUSH_BYTES) this.#flush();
  }

  #flush(): void {
    this.#unflushed = 0;
    this.#flushing = this.#flushing.then(() => this.file.datasync());
    // Prevents an unhandled rejection. The method `end` throws the error.
    this.#flushing.catch(() => undefined);
  }
}

async function writeAll(file: FileHandle, bytes: Buffer): Promise<void> {
  for (let written = 0; written < bytes.length; ) written += (await file.write(bytes, written)).bytesWritten;
}
