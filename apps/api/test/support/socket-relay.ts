import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A relay in front of a server. It can refuse connections, hang and recover while the server keeps running. */
export class SocketRelay {
  readonly #sockets = new Set<Socket>();
  #isOpen = true;
  #isSilent = false;

  private constructor(private readonly server: Server) {}

  /** @param url  address of the server */
  static async before(url: string): Promise<SocketRelay> {
    const target = new URL(url);
    const server = createServer();
    const relay = new SocketRelay(server);
    server.on('connection', (client) => relay.#join(client, () => connect(Number(target.port), target.hostname)));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return relay;
  }

  /** The URL with the relay's host and port. */
  urlFor(url: string): string {
    return Object.assign(new URL(url), { host: `127.0.0.1:${(this.server.address() as AddressInfo).port}` }).href;
  }

  /** Ends all connections and refuses new ones. */
  cut(): void {
    this.#isOpen = false;
    for (const socket of this.#sockets) socket.destroy();
  }

  mend(): void {
    this.#isOpen = true;
  }

  /** While silent, the relay holds back all data. It loses none. */
  setSilent(isSilent: boolean): void {
    this.#isSilent = isSilent;
    for (const socket of this.#sockets)
      if (isSilent) socket.pause();
      else socket.resume();
  }

  close(): void {
    this.cut();
    this.server.close();
  }

  #join(client: Socket, open: () => Socket): void {
    if (!this.#isOpen) return void client.destroy();
    const server = open();
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(from);
      from.on('data', (data) => to.write(data)).on('error', () => undefined);
      if (this.#isSilent) from.pause();
      from.on('close', () => {
        this.#sockets.delete(from);
        to.destroy();
      });
    }
  }
}
