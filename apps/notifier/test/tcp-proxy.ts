import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** Stands between a client and a server, so that a test can take the server away and give it back. */
export class TcpProxy {
  private readonly sockets = new Set<Socket>();
  private server: Server | undefined;
  private port = 0;

  constructor(private readonly target: URL) {}

  async open(): Promise<void> {
    await this.listen((client) => this.relay(client));
  }

  /** From now on whoever connects is hung up on, as by a load balancer without a server behind it. */
  async turnAway(): Promise<void> {
    await this.cut();
    await this.listen((client) => void client.on('error', () => undefined).destroy());
  }

  /** From now on connections stand, and nothing comes over them. */
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

  /** The address of the proxy with everything else of the target's. */
  get url(): string {
    const url = new URL(this.target);
    url.host = `127.0.0.1:${this.port}`;
    return url.href;
  }

  /** From now on nothing answers, and what was connected is cut. */
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
