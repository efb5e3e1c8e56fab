import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { fileTypeFromBuffer } from 'file-type';
import { message } from '@ats/message';
import { Problem } from '../vocabulary/problem.js';
import { release } from './released.js';

/**
 * Number of bytes at the start of a file from which the type is detected. The type of an Office file may stand later in
 * the file.
 */
const SAMPLE_BYTES = 256 * 1024;
/** Maximum length in bytes of an incomplete UTF-8 character at the end of the sample. */
const MAX_CUT_BYTES = 3;

/** The properties of a file that follow from its bytes. */
export interface Measured {
  readonly size: number;
  readonly sha256: string;
  readonly media_type: string;
}

/**
 * Passes on the bytes of a file and measures them at the same time. Only the bytes of the sample stay in memory: the
 * memory of a chunk is freed when the next one is read.
 */
export class MeasuredContent {
  readonly #hash = createHash('sha256');
  readonly #sample: Buffer[] = [];
  #size = 0;

  constructor(
    private readonly source: AsyncIterable<Buffer>,
    private readonly maxBytes: number,
  ) {}

  /** Passes on the bytes. @throws {Problem} 413 when the file has too many bytes */
  async *bytes(): AsyncIterable<Buffer> {
    for await (const chunk of this.source) {
      const room = SAMPLE_BYTES - this.#size;
      if (room > 0) this.#sample.push(Buffer.from(chunk.subarray(0, room)));
      this.#size += chunk.length;
      if (this.#size > this.maxBytes) throw tooLarge(this.maxBytes);
      this.#hash.update(chunk);
      yield chunk;
      release(chunk);
    }
  }

  /** Reads all bytes, without passing them on. @returns the measured properties */
  async readAll(): Promise<Measured> {
    const bytes = this.bytes()[Symbol.asyncIterator]();
    while (!(await bytes.next()).done);
    return this.result();
  }

  /** Returns the measured properties. Call it once, after all bytes are read. */
  async result(): Promise<Measured> {
    const sample = Buffer.concat(this.#sample);
    const type = await fileTypeFromBuffer(sample);
    const isWhole = sample.length === this.#size;
    return {
      size: this.#size,
      sha256: this.#hash.digest('hex'),
      media_type: type?.mime ?? (isText(sample, isWhole) ? 'text/plain' : 'application/octet-stream'),
    };
  }
}

export const tooLarge = (maxBytes: number): Problem =>
  new Problem(413, message`The document has more than ${maxBytes} bytes`);

/** True for UTF-8 without null characters. */
function isText(sample: Buffer, isWhole: boolean): boolean {
  if (sample.includes(0)) return false;
  const cuts = isWhole ? 0 : MAX_CUT_BYTES;
  return Array.from({ length: cuts + 1 }, (_, cut) => sample.subarray(0, sample.length - cut)).some((part) =>
    isUtf8(part),
  );
}
