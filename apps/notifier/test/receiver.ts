import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';

export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
  /** The parsed body of the request. */
  readonly message: Readonly<Record<string, unknown>>;
}

export type Respond = (request: ReceivedRequest, response: ServerResponse) => void;
const answer204: Respond = (_, response) => void response.writeHead(204).end();

/** A destination on this machine. It keeps all requests. By default, it answers 204. */
export class Receiver {
  readonly requests: ReceivedRequest[] = [];
  respond: Respond = answer204;
  private readonly server = createServer((request, response) => void this.receive(request, response));

  static async start(): Promise<Receiver> {
    const receiver = new Receiver();
    await receiver.listen();
    return receiver;
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
  }

  /** Deletes all received requests. The answer is 204 again. */
  reset(): void {
    this.requests.length = 0;
    this.respond = answer204;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hook`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString('utf8');
    const received: ReceivedRequest = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body,
      message: JSON.parse(body) as Record<string, unknown>,
    };
    this.requests.push(received);
    this.respond(received, response);
  }
}

/** Gives a spec file its own receiver, which is reset before each test. */
export function useReceiver(): Receiver {
  const receiver = new Receiver();
  beforeAll(() => receiver.listen());
  beforeEach(() => receiver.reset());
  afterAll(() => receiver.stop());
  return receiver;
}
