import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { verify } from '@ats/webhook-signing';
import { progress } from './progress.js';
import { waitUntil } from './wait-until.js';

const TOLERANCE_SECONDS = 300;

export interface ReceivedMessage {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Time at which the body was complete, in milliseconds since 1970. */
  readonly receivedAt: number;
}

export interface MessageBody {
  readonly message_id: string;
  readonly timestamp: string;
  readonly user: { readonly id: string; readonly url: string };
  readonly subscription: Readonly<Record<string, unknown>>;
  readonly details: { readonly id: number; readonly url: string } & Readonly<Record<string, unknown>>;
}

type Answer = (message: ReceivedMessage, response: ServerResponse) => void;

/**
 * The server of an integrator. It stores every message, and answers 204 unless {@link answerWith} has changed the
 * answer.
 */
export class Receiver {
  readonly messages: ReceivedMessage[] = [];
  #answer: Answer = (_, response) => response.writeHead(204).end();

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(): Promise<Receiver> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string')
      throw new Error('the webhook receiver of the test does not listen on a TCP port');
    const receiver = new Receiver(server, `http://127.0.0.1:${address.port}/hook`);
    server.on('request', (request, response) => void receiver.#receive(request, response));
    return receiver;
  }

  answerWith(answer: Answer): void {
    this.#answer = answer;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  /** Waits until `count` messages have arrived. Repeated messages count, too. */
  async receive(count: number, timeoutMs = 100_000): Promise<readonly ReceivedMessage[]> {
    await waitUntil(
      `${count} messages, ${this.messages.length} so far`,
      timeoutMs,
      () => this.messages.length >= count,
    );
    return this.messages;
  }

  /** Waits until messages with `count` distinct `message_id`s have arrived. @returns the first message of each id */
  async receiveDistinct(count: number, timeoutMs = 100_000): Promise<readonly ReceivedMessage[]> {
    await waitUntil(
      `${count} distinct messages, ${this.messages.length} so far`,
      timeoutMs,
      () => this.distinct.length >= count,
    );
    return this.distinct;
  }

  get distinct(): readonly ReceivedMessage[] {
    const seen = new Set<string>();
    return this.messages.filter((message) => seen.size < seen.add(bodyOf(message).message_id).size);
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const message = { headers: request.headers, body: Buffer.concat(chunks).toString('utf8'), receivedAt: Date.now() };
    this.messages.push(message);
    progress.emit('notifier');
    this.#answer(message, response);
  }
}

export const bodyOf = ({ body }: ReceivedMessage): MessageBody => JSON.parse(body) as MessageBody;

/**
 * Checks the signature of a message.
 * @throws {SignatureError} when it was not made with the key, or its time differs from now by more than 300 s
 */
export function checkSignature({ headers, body }: ReceivedMessage, signingKey: string): void {
  verify({ body, headers, keys: [signingKey], toleranceSeconds: TOLERANCE_SECONDS, now: new Date() });
}
