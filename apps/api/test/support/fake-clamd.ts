import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

const COMMAND = 'zINSTREAM\0';
const LENGTH_BYTES = 4;

/** A server that speaks the protocol of `clamd` over real connections. The test decides its replies. */
export class FakeClamd {
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  #port = 0;
  /** Returns the reply to the bytes of a document. Null closes the connection without a reply. */
  reply: (content: Buffer) => string | null | Promise<string | null> = () => 'stream: OK';

  get url(): string {
    return `tcp://127.0.0.1:${this.#port}`;
  }

  /** Starts to listen. The port is the same after each start. */
  async start(): Promise<void> {
    this.#server = createServer((socket) => {
      this.#sockets.add(socket);
      socket.on('error', () => undefined);
      void this.#serve(socket);
    });
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    const closed = this.#server && once(this.#server, 'close');
    this.#server?.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  async #serve(socket: Socket): Promise<void> {
    let received = Buffer.alloc(0);
    try {
      for await (const part of socket) {
        received = Buffer.concat([received, part as Buffer]);
        const content = contentOf(received);
        if (!content) continue;
        const text = await this.reply(content);
        socket.end(text === null ? '' : `${text}\0`);
        return;
      }
    } catch {
      // Ignores the error, because the client or `stop` may have closed the connection.
    }
  }
}

/** Returns the bytes of the document in a request. Null while some of them have not arrived. */
function contentOf(received: Buffer): Buffer | null {
  if (received.length < COMMAND.length) return null;
  if (received.subarray(0, COMMAND.length).toString() !== COMMAND)
    throw new Error('the fake virus scanner understands only the command INSTREAM');
  const chunks: Buffer[] = [];
  for (let at = COMMAND.length; at + LENGTH_BYTES <= received.length; ) {
    const length = received.readUInt32BE(at);
    if (length === 0) return Buffer.concat(chunks);
    at += LENGTH_BYTES + length;
    if (at > received.length) return null;
    chunks.push(received.subarray(at - length, at));
  }
  return null;
}
