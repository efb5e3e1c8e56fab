import { release } from './released.js';

/**
 * Time in ms after which a part ends. It is short, so that a crash loses little, and that the lock of the upload does
 * not expire meanwhile.
 */
const PART_MS = 5_000;

/** A part of a stream. */
export interface Part {
  /** The memory of a chunk is freed when the next one is read. */
  readonly bytes: AsyncIterable<Buffer>;
  /** Number of bytes that were read. */
  readonly size: number;
}

/**
 * Splits a stream into parts. A part ends when its time is over, and at the end of the stream.
 * Callers must read each part to its end before they take the next part.
 */
export async function* partsOf(content: AsyncIterable<Buffer>): AsyncIterable<Part> {
  const source = content[Symbol.asyncIterator]();
  let next = source.next();
  // A read can fail between two parts, when nothing waits for it. This handler prevents an unhandled rejection. The
  // error is thrown when the read is awaited.
  const readNext = (): void => void (next = source.next()).catch(() => undefined);
  const read = async function* (part: { size: number }): AsyncIterable<Buffer> {
    const timer = timeout(PART_MS);
    try {
      for (;;) {
        const chunk = await Promise.race([next, timer.over]);
        if (!chunk || chunk.done) return;
        part.size += chunk.value.length;
        readNext();
        yield chunk.value;
        release(chunk.value);
      }
    } finally {
      timer.stop();
    }
  };
  while (!(await next).done) {
    const part = { size: 0, bytes: emptyBody() };
    part.bytes = read(part);
    yield part;
  }
}

function timeout(ms: number): { readonly over: Promise<undefined>; readonly stop: () => void } {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<undefined>((resolve) => (timer = setTimeout(resolve, ms, undefined)));
  return { over, stop: () => clearTimeout(timer) };
}

/** The body of a request whose client may disconnect. */
export class ArrivingBody {
  readonly #chunks: AsyncGenerator<Buffer>;

  constructor(body: AsyncIterable<Buffer> | undefined) {
    this.#chunks = untilCut(body);
  }

  /** The bytes that arrive. They end without an error when the client disconnects. */
  get bytes(): AsyncIterable<Buffer> {
    return this.#chunks;
  }

  /** Reads and discards the rest, because the client reads the answer only after it has sent everything. */
  async discard(): Promise<void> {
    while (!(await this.#chunks.next()).done);
  }
}

async function* untilCut(body: AsyncIterable<Buffer> = emptyBody()): AsyncGenerator<Buffer> {
  try {
    yield* body;
  } catch {
    // Ends without an error when the client disconnects, so that the bytes before it are kept.
  }
}

async function* emptyBody(): AsyncIterable<Buffer> {}
