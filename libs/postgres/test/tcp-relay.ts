import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A TCP relay between a client and its server. Tests break it on purpose. */
export class TcpRelay {
  #server: Server | undefined;
  #port = 0;
  #isSwallowing = false;
  readonly #sockets = new Set<Socket>();

  constructor(private readonly target: { readonly host: string; readonly port: number }) {}

  /**
   * Opens a relay in front of a server.
   * @param address  URL of the server
   * @returns the relay, and the same URL with the relay's host and port
   */
  static async before(address: string): Promise<{ readonly relay: TcpRelay; readonly url: string }> {
    const url = new URL(address);
    const relay = new TcpRelay({ host: url.hostname, port: Number(url.port) });
    await relay.open();
    return { relay, url: Object.assign(url, { port: String(relay.#port) }).href };
  }

  /** Accepts connections, on the same port each time. */
  async open(): Promise<void> {
    this.#isSwallowing = false;
    this.#server = createServer((socket) => this.#relay(socket));
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  /** Ends all connections and refuses new ones. */
  async close(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (!server) return;
    const closed = once(server, 'close');
    server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  /** Silently drops all bytes of every connection, in both directions. These connections never recover. */
  swallow(): void {
    this.#isSwallowing = true;
  }

  /** Relays the bytes of later connections again. */
  letThrough(): void {
    this.#isSwallowing = false;
  }

  #relay(client: Socket): void {
    let isLost = this.#isSwallowing;
    const server = connect(this.target);
    const pass = (to: Socket) => (data: Buffer) => {
      isLost ||= this.#isSwallowing;
      if (!isLost) to.write(data);
    };
    client.on('data', pass(server));
    server.on('data', pass(client));
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.#sockets.delete(socket);
        isLost ||= this.#isSwallowing;
        if (!isLost || socket === client) other.destroy();
      });
    }
  }
}
