import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { verify } from '@ats/webhook-signing';

/** One request that a destination received. */
export interface Reception {
  readonly messageId: string;
  readonly subscriptionId: number;
  /** `details.id` of the message. */
  readonly subjectId: number;
  readonly bodyHash: string;
  /** The header `x-service-notify-attempt`. For a batch, it is the highest number of attempts of its messages. */
  readonly attempt: number;
  /**
   * The sequence number of the message. The header `x-service-notify-sequence` has one number for each message of a
   * batch.
   */
  readonly sequence: number;
  /** Time at which the body was complete, in milliseconds since 1970. */
  readonly at: number;
  /** Number of concurrent requests of the subscription when this body was complete, including this one. */
  readonly inFlight: number;
  /** Status of the answer. Null while no answer is sent, and when the sender closed the connection before. */
  statusCode: number | null;
  /**
   * Position of this request in the order of all requests and answers. All messages of a batch have the same position.
   */
  readonly arrived: number;
  /** Position of the successful answer in the order of all requests and answers. Null without such an answer. */
  accepted: number | null;
}

export type Answer = (
  reception: Reception,
  response: ServerResponse,
  request: { readonly headers: IncomingHttpHeaders; readonly body: string },
) => void;

/** The properties of a message that destinations read. */
interface Message {
  readonly message_id: string;
  readonly subscription: { readonly id: number };
  readonly details: { readonly id: number };
}

/** The data of a signature that is checked later, when the signing key is known. */
interface Exchange {
  readonly subscriptionId: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly receivedAt: Date;
}

const TOLERANCE_SECONDS = 300;

let lastPosition = 0;
/** Returns the next position in the order of all requests and answers. */
export const nextPosition = (): number => (lastPosition += 1);
/** True for a 2xx status. After such an answer, the message must not be sent again. */
export const isSuccess = (statusCode: number): boolean => statusCode >= 200 && statusCode < 300;

/**
 * The destinations of all subscriptions, which run in this process. They record every request, and answer 204 unless
 * {@link answerWith} has changed the answer. Each origin (host and port) is a separate destination for the limits of
 * the notifier.
 */
export class Destinations {
  readonly receptions: Reception[] = [];
  /** Maps the id of a subscription to its maximum number of concurrent requests so far. */
  readonly mostInFlight = new Map<number, number>();
  readonly #servers: Server[] = [];
  readonly #keys = new Map<number, readonly string[]>();
  readonly #unchecked: Exchange[] = [];
  readonly #inFlight = new Map<number, number>();
  #badSignatures = 0;
  #answer: Answer = (_, response) => void response.writeHead(204).end();

  static async start(origins = 1): Promise<Destinations> {
    const destinations = new Destinations();
    for (let index = 0; index < origins; index += 1) await destinations.#listen();
    return destinations;
  }

  /** Returns the URL of an origin. @param index  number of the origin; numbers that are too high start again at 0 */
  url(index = 0): string {
    const address = this.#servers[index % this.#servers.length]?.address();
    if (!address || typeof address === 'string')
      throw new Error('a receiver of the test does not listen on a TCP port');
    return `http://127.0.0.1:${address.port}/hook`;
  }

  answerWith(answer: Answer): void {
    this.#answer = answer;
  }

  /** Sets the signing keys of a subscription. Signatures are checked with them from now on. */
  setKeys(subscriptionId: number, keys: readonly string[]): void {
    this.#keys.set(subscriptionId, keys);
  }

  /** Postpones the check of a subscription's signatures until its signing keys are set again. */
  clearKeys(subscriptionId: number): void {
    this.#keys.delete(subscriptionId);
  }

  /** Counts the messages with an invalid signature. A message whose signing key the test has never set counts, too. */
  countBadSignatures(): number {
    for (const exchange of this.#unchecked.splice(0)) this.#checkSignature(exchange, true);
    return this.#badSignatures;
  }

  async stop(): Promise<void> {
    for (const server of this.#servers) server.closeAllConnections();
    await Promise.all(this.#servers.map((server) => new Promise((resolve) => server.close(resolve))));
  }

  async #listen(): Promise<void> {
    const server = createServer((request, response) => {
      this.#receive(request, response).catch(() => response.destroy()); // A killed sender aborts its request.
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    this.#servers.push(server);
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString('utf8');
    const { headers } = request;
    const messages = [JSON.parse(body) as Message | readonly Message[]].flat();
    const receptions = this.#record(messages, headers, body);
    const [first] = receptions;
    if (!first) throw new Error('the body of a webhook request has no message');
    const { subscriptionId } = first;
    // Uses `prefinish`, because it comes before the sender can receive the answer. `finish` may come after the next
    // request of the sender.
    response.on('prefinish', () => {
      if (response.destroyed || !isSuccess(response.statusCode)) return;
      const accepted = nextPosition();
      for (const reception of receptions) reception.accepted = accepted;
    });
    response.on('finish', () => {
      for (const reception of receptions) reception.statusCode = response.statusCode;
    });
    response.on('close', () => this.#inFlight.set(subscriptionId, (this.#inFlight.get(subscriptionId) ?? 1) - 1));
    response.on('error', () => undefined);
    const exchange = { subscriptionId, headers, body, receivedAt: new Date(first.at) };
    this.#checkSignature(exchange, false);
    this.#answer(first, response, exchange);
  }

  #record(messages: readonly Message[], headers: IncomingHttpHeaders, body: string): readonly Reception[] {
    const sequences = String(headers['x-service-notify-sequence']).split(',').map(Number);
    const arrived = nextPosition();
    const at = Date.now();
    const isBatch = body.startsWith('[');
    const inFlight = this.#enter(messages[0]?.subscription.id ?? 0);
    const receptions = messages.map((message, index) => ({
      messageId: message.message_id,
      subscriptionId: message.subscription.id,
      subjectId: message.details.id,
      bodyHash: createHash('sha256')
        .update(isBatch ? JSON.stringify(message) : body)
        .digest('base64'),
      attempt: Number(headers['x-service-notify-attempt']),
      sequence: sequences[index] ?? Number.NaN,
      at,
      inFlight,
      statusCode: null,
      arrived,
      accepted: null,
    }));
    this.receptions.push(...receptions);
    return receptions;
  }

  #enter(subscriptionId: number): number {
    const inFlight = (this.#inFlight.get(subscriptionId) ?? 0) + 1;
    this.#inFlight.set(subscriptionId, inFlight);
    this.mostInFlight.set(subscriptionId, Math.max(inFlight, this.mostInFlight.get(subscriptionId) ?? 0));
    return inFlight;
  }

  /**
   * Checks a signature. When the test does not know the signing key yet, {@link countBadSignatures} checks the message
   * later.
   */
  #checkSignature(exchange: Exchange, isLast: boolean): void {
    const keys = this.#keys.get(exchange.subscriptionId);
    if (keys === undefined && !isLast) this.#unchecked.push(exchange);
    else if (keys === undefined || !isSigned(exchange, keys)) this.#badSignatures += 1;
  }
}

/** Checks a signature header as receivers do. It is valid when one of its signatures was made with one of the keys. */
function isSigned({ headers, body, receivedAt }: Exchange, keys: readonly string[]): boolean {
  try {
    verify({ body, headers, keys, toleranceSeconds: TOLERANCE_SECONDS, now: receivedAt });
    return true;
  } catch {
    return false;
  }
}
