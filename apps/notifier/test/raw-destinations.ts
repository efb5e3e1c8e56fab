import { DestinationGuard } from '@ats/destination-guard';
import { afterEach } from '@jest/globals';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { type AttemptOutcome } from '../src/delivery/http/attempt-outcome.js';
import { DestinationClient, type ExchangeLimits } from '../src/delivery/http/destination-client.js';

/** Timeouts of the client that no test reaches, even on a busy machine. */
const PATIENT = { headersTimeoutMs: 100_000, bodyTimeoutMs: 100_000, totalTimeoutMs: 120_000 };
/** A timeout of the client, which the destination of a test exceeds on purpose. */
export const SHORT_MS = 300;
export const NO_CONTENT = 'HTTP/1.1 204 No Content\r\n\r\n';

interface ClientSettings {
  /** The addresses to which every host name resolves. Defaults to this machine. */
  readonly addresses?: readonly string[];
  readonly allowPrivate?: boolean;
  readonly resolveMs?: number;
  readonly limits?: Partial<ExchangeLimits>;
}

/**
 * Destinations that write raw bytes, so that they can send invalid answers. Also makes the clients that call these
 * destinations.
 */
export class RawDestinations {
  readonly open: { readonly server: Server; readonly sockets: Set<Socket> }[] = [];
  private readonly clients: DestinationClient[] = [];

  /**
   * Starts a destination. Calls `onRequest` when a request has arrived.
   * @returns the port of the destination
   */
  async listen(onRequest: (socket: Socket) => void, address = '127.0.0.1'): Promise<number> {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => sockets.delete(socket));
      // A request ends with the body `{}`, which arrives in the packet of the headers or in a packet of its own.
      socket.on('data', (chunk) => chunk.toString('latin1').endsWith('{}') && onRequest(socket));
    });
    this.open.push({ server, sockets });
    await new Promise<void>((resolve) => server.listen(0, address, resolve));
    return (server.address() as AddressInfo).port;
  }

  createClient({
    addresses = ['127.0.0.1'],
    allowPrivate = true,
    resolveMs = 0,
    limits = {},
  }: ClientSettings = {}): DestinationClient {
    const resolve = (): Promise<readonly string[]> =>
      new Promise((done) => setTimeout(() => done(addresses), resolveMs));
    const guard = new DestinationGuard({ allowHttp: true, allowPrivate, resolve });
    const client = new DestinationClient(guard, { ...PATIENT, ...limits });
    this.clients.push(client);
    return client;
  }

  post(port: number, client = this.createClient(), body = '{}'): Promise<AttemptOutcome> {
    return client.post({
      url: `http://receiver.example.com:${port}/hook`,
      headers: { 'content-type': 'application/json' },
      body,
    });
  }

  /** Closes all clients and destinations. */
  async close(): Promise<void> {
    for (const client of this.clients.splice(0)) client.close();
    for (const { server, sockets } of this.open.splice(0)) {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    }
  }
}

/** Gives a spec file its own destinations, which are closed after each test. */
export function useRawDestinations(): RawDestinations {
  const destinations = new RawDestinations();
  afterEach(() => destinations.close());
  return destinations;
}
