import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A proxy between a client and a server, so that a test can make the server unavailable and available again. */
export class TcpProxy {
  private readonly sockets = new Set<Socket>();
  private server: Server | undefined;
  private port = 0;

  constructor(private readonly target: URL) {}

  async open(): Promise<void> {
    await this.listen((client) => this.relay(client));
  }

  /** Accepts and closes new connections, as a load balancer without a server does. */
  async turnAway(): Promise<void> {
    await this.cut();
    await this.listen((client) => void client.on('error', () => undefined).destroy());
  }

  /** Accepts new connections and sends nothing. */
  async holdBack(): Promise<void> {
    await this.cut();
    await this.listen(
      (client) =>
        void this.sockets.add(
          client
            .on('error', () => undefined)
            .on('close', () => this.sockets.delete(client))
            .resume(),
        ),
    );
  }

  private async listen(onConnection: (client: Socket) => void): Promise<void> {
    const server = createServer(onConnection);
    await new Promise<void>((resolve) => server.listen(this.port, '127.0.0.1', resolve));
    this.port = (server.address() as AddressInfo).port;
    this.server = server;
  }

  /** The URL of the target with the address of the proxy. */
  get url(): string {
    const url = new URL(this.target);
    url.host = `127.0.0.1:${this.port}`;
    return url.href;
  }

  /** Closes all connections and stops listening. */
  async cut(): Promise<void> {
    const { server } = this;
    if (!server) return;
    this.server = undefined;
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  private relay(client: Socket): void {
    const upstream = connect(Number(this.target.port), this.target.hostname);
    for (const socket of [client, upstream]) {
      this.sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.pipe(upstream).pipe(client);
  }
}
