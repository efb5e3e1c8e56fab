/** The most bytes of a part. It is the size up to which the client of S3 sends an object in one request. */
const PART_BYTES = 5 * 1024 * 1024;
/**
 * Time in ms after which a part ends, so that little is lost when the process dies, and the lock of the upload lasts.
 */
const PART_MS = 5_000;

/** Some bytes of a stream. */
export interface Part {
  readonly bytes: AsyncIterable<Buffer>;
  /** Number of bytes that were read. */
  readonly size: number;
}

/**
 * Splits a stream into parts, one after the other. A part ends before it has too many bytes, when its time is over, and
 * at the end of the stream. Read each part to its end before the next.
 */
export async function* partsOf(content: AsyncIterable<Buffer>): AsyncIterable<Part> {
  const source = content[Symbol.asyncIterator]();
  let next = source.next();
  // A part may end by its time while the next chunk fails. The error is thrown when the chunk is read.
  const readNext = (): void => void (next = source.next()).catch(() => undefined);
  const read = async function* (part: { size: number }): AsyncIterable<Buffer> {
    const timer = timeout(PART_MS);
    try {
      for (;;) {
        const chunk = await Promise.race([next, timer.over]);
        if (!chunk || chunk.done || (part.size > 0 && part.size + chunk.value.length > PART_BYTES)) return;
        part.size += chunk.value.length;
        readNext();
        yield chunk.value;
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

/** The body of a request, whose client may go away. */
export class ArrivingBody {
  readonly #chunks: AsyncGenerator<Buffer>;

  constructor(body: AsyncIterable<Buffer> | undefined) {
    this.#chunks = untilCut(body);
  }

  /** The bytes that arrive. They end without an error when the connection is cut. */
  get bytes(): AsyncIterable<Buffer> {
    return this.#chunks;
  }

  /** Discards the rest, because the client receives the answer only after it has sent everything. */
  async discard(): Promise<void> {
    while (!(await this.#chunks.next()).done);
  }
}

async function* untilCut(body: AsyncIterable<Buffer> = emptyBody()): AsyncGenerator<Buffer> {
  try {
    yield* body;
  } catch {
    // The bytes before the cut count.
  }
}

async function* emptyBody(): AsyncIterable<Buffer> {}
