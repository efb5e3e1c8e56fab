import { once } from 'node:events';
import { connect, type NetConnectOpts, type Socket } from 'node:net';
import { DocumentScanner, ScannerError } from './document-scanner.js';

/**
 * Maximum time in ms without any byte from the scanner. It is long, because the scanner answers only after it has
 * checked the whole document.
 */
const SILENCE_MS = 120_000;
const LENGTH_BYTES = 4;
const MAX_REPLY_LENGTH = 10_000;

/**
 * Speaks the protocol of `clamd`, the daemon of ClamAV, over TCP or a Unix socket: the command `INSTREAM`, then chunks
 * with their length in front, then a chunk of length 0. See the manual page clamd(8).
 */
export class ClamavScanner extends DocumentScanner {
  readonly #address: NetConnectOpts;

  /** Makes a scanner. @param url  `tcp://host:3310` or `unix:///run/clamav/clamd.ctl` */
  constructor(
    url: string,
    private readonly silenceMs = SILENCE_MS,
  ) {
    super();
    const { protocol, hostname, port, pathname } = new URL(url);
    this.#address =
      protocol === 'unix:'
        ? { path: decodeURIComponent(pathname) }
        : { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port) };
  }

  async scan(content: AsyncIterable<Buffer>): Promise<'clean' | 'infected'> {
    const socket = connect(this.#address);
    socket.setTimeout(this.silenceMs, () =>
      socket.destroy(new Error(`the virus scanner sent nothing for ${this.silenceMs} ms`)),
    );
    try {
      const reply = replyOf(socket);
      // Prevents an unhandled rejection when the reply fails before it is awaited.
      reply.catch(() => undefined);
      await send(socket, content);
      return resultOf(await reply);
    } finally {
      socket.destroy();
    }
  }
}

/**
 * Sends the bytes of a document. Stops early when the scanner has closed the connection; its reply or the error then
 * says why.
 */
async function send(socket: Socket, content: AsyncIterable<Buffer>): Promise<void> {
  const closed = once(socket, 'close').catch(() => undefined);
  const write = async (bytes: Buffer | string): Promise<void> => {
    if (!socket.writable || socket.write(bytes)) return;
    await Promise.race([once(socket, 'drain').catch(() => undefined), closed]);
  };
  await write('zINSTREAM\0');
  for await (const chunk of content) {
    if (!socket.writable) return;
    if (chunk.length === 0) continue; // Skips empty chunks, because a length of 0 would end the stream.
    await write(lengthOf(chunk.length));
    await write(chunk);
  }
  await write(lengthOf(0));
}

function lengthOf(bytes: number): Buffer {
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(bytes);
  return length;
}

/** Reads the reply, which ends with a null character. @throws {ScannerError} when the connection ends before */
function replyOf(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    let failure: Error | undefined;
    socket.setEncoding('utf8');
    socket.on('data', (part: string) => {
      text += part;
      const end = text.indexOf('\0');
      if (end !== -1) resolve(text.slice(0, end));
      else if (text.length > MAX_REPLY_LENGTH)
        socket.destroy(new Error('the reply of the virus scanner is too long or incomplete'));
    });
    socket.on('error', (error) => (failure = error));
    socket.on('close', () =>
      reject(
        new ScannerError(failure ? failure.message || failure.name : 'the virus scanner closed the connection', {
          cause: failure,
        }),
      ),
    );
  });
}

function resultOf(reply: string): 'clean' | 'infected' {
  if (reply === 'stream: OK') return 'clean';
  if (/^stream: .+ FOUND$/s.test(reply)) return 'infected';
  throw new ScannerError(reply);
}
