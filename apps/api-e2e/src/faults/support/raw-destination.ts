import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createSecureServer, type TlsOptions } from 'node:tls';
import { isSuccess, nextPosition, type Reception } from './destination.js';

/** A received HTTP request, as text. */
export interface RawMessage {
  readonly head: string;
  readonly body: string;
  /** Number of the request on its connection. The first has the number 1. */
  readonly nth: number;
}

/** Called for each complete request. It may write an answer to the socket. */
export type Behaviour = (socket: Socket, message: RawMessage) => void;

export interface RawOptions {
  readonly address?: string;
  readonly port?: number;
  readonly tls?: TlsOptions;
  /** Called for each new connection, before any byte has arrived. */
  readonly onConnect?: ((socket: Socket) => void) | undefined;
}

/** A destination that can write any bytes, so that tests can violate the HTTP and TLS protocols. */
export class RawDestination {
  /** Number of TCP connections so far. */
  connections = 0;
  messages = 0;
  readonly #sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly behave: Behaviour,
  ) {
    server.on('connection', (socket: Socket) => this.#keep(socket));
  }

  static async start(
    behave: Behaviour,
    { address = '127.0.0.1', port = 0, tls, onConnect }: RawOptions = {},
  ): Promise<RawDestination> {
    const server = tls ? createSecureServer(tls) : createServer();
    const destination = new RawDestination(server, behave);
    server.on(tls ? 'secureConnection' : 'connection', (socket: Socket) => destination.#read(socket));
    if (onConnect) server.on('connection', onConnect);
    server.on('tlsClientError', () => undefined);
    server.listen(port, address);
    await once(server, 'listening');
    return destination;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    if (!this.server.listening) return;
    await new Promise((resolve) => this.server.close(resolve));
  }

  #keep(socket: Socket): void {
    this.connections += 1;
    this.#sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => this.#sockets.delete(socket));
  }

  /**
   * Reads the requests of a connection. Each request has a `content-length`, and is complete before the next one
   * begins.
   */
  #read(socket: Socket): void {
    let received = '';
    let nth = 0;
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString('utf8');
      const [, head, length] = /^(.*?content-length: (\d+).*?\r\n\r\n)/is.exec(received) ?? [];
      if (head === undefined || Buffer.byteLength(received) < head.length + Number(length)) return;
      const body = received.slice(head.length);
      received = '';
      this.messages += 1;
      this.behave(socket, { head, body, nth: (nth += 1) });
    });
  }
}

/** Makes a reception for the ledger. @param statusCode  0 when the request gets no valid answer */
export function toReception({ head, body }: RawMessage, statusCode: number): Reception {
  const { message_id, subscription, details } = JSON.parse(body) as {
    message_id: string;
    subscription: { id: number };
    details: { id: number };
  };
  const header = (name: string): string => new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1]?.trim() ?? '';
  return {
    messageId: message_id,
    subscriptionId: subscription.id,
    subjectId: details.id,
    bodyHash: createHash('sha256').update(body).digest('base64'),
    attempt: Number(header('x-service-notify-attempt')),
    sequence: Number(header('x-service-notify-sequence')),
    at: Date.now(),
    inFlight: 1,
    statusCode,
    arrived: nextPosition(),
    accepted: isSuccess(statusCode) ? nextPosition() : null,
  };
}
