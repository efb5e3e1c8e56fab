import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/**
 * A TCP relay between a client and its server. Tests interrupt the relay on purpose. A relay that is opened again has
 * the same port.
 */
export class TcpRelay {
  #server: Server | undefined;
  #port = 0;
  #isSwallowing = false;
  #isSilent = false;
  readonly #sockets = new Set<Socket>();

  private constructor(private readonly target: URL) {}

  /** Opens a relay in front of the server that a URL names. */
  static async before(target: string): Promise<TcpRelay> {
    const relay = new TcpRelay(new URL(target));
    await relay.open();
    return relay;
  }

  /** The URL of the server, with the host and port of the relay. */
  get url(): string {
    return this.urlFor(this.target.href);
  }

  /** Returns another URL of the same server, with the host and port of the relay. */
  urlFor(url: string): string {
    return Object.assign(new URL(url), { host: `127.0.0.1:${this.#port}` }).href;
  }

  /** Relays connections. Does nothing while the relay listens. */
  async open(): Promise<void> {
    this.#isSwallowing = false;
    await this.#listen((client) => this.#relay(client));
  }

  /** Ends all connections and refuses new ones. */
  async close(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (!server) return;
    const closed = once(server, 'close');
    server.close();
    this.endConnections();
    await closed;
  }

  /** Ends all connections and accepts new ones. */
  endConnections(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Accepts new connections and ends them at once, like a load balancer without a server. */
  async turnAway(): Promise<void> {
    await this.close();
    await this.#listen((client) => void client.destroy());
  }

  /** Accepts new connections but relays nothing. */
  async holdBack(): Promise<void> {
    await this.close();
    await this.#listen((client) => void client.resume());
  }

  /**
   * Silently drops all bytes in both directions. Connections that lose bytes, or that are opened meanwhile, never
   * recover.
   */
  swallow(): void {
    this.#isSwallowing = true;
  }

  /** Ends `swallow`. New connections are relayed again, and so are open connections that have lost no bytes. */
  letThrough(): void {
    this.#isSwallowing = false;
  }

  /** While `isSilent` is true, holds back all data in both directions. Relays this data afterwards. */
  setSilent(isSilent: boolean): void {
    this.#isSilent = isSilent;
    for (const socket of this.#sockets)
      if (isSilent) socket.pause();
      else socket.resume();
  }

  async #listen(onConnection: (client: Socket) => void): Promise<void> {
    if (this.#server) return;
    this.#server = createServer((client) => {
      this.#keep(client);
      onConnection(client);
    });
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => this.#sockets.delete(socket));
  }

  #relay(client: Socket): void {
    let isLost = this.#isSwallowing;
    const server = connect(Number(this.target.port), this.target.hostname);
    this.#keep(server);
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      socket.on('data', (data) => {
        isLost ||= this.#isSwallowing;
        if (!isLost) other.write(data);
      });
      if (this.#isSilent) socket.pause();
      socket.on('close', () => {
        isLost ||= this.#isSwallowing;
        if (!isLost || socket === client) other.destroy();
      });
    }
  }
}
