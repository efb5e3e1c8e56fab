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
  /** `details.id` of the body. */
  readonly subjectId: number;
  readonly bodyHash: string;
  /** Headers `x-service-notify-attempt` and `x-service-notify-sequence`. */
  readonly attempt: number;
  readonly sequence: number;
  /** Time at which the body was complete, in milliseconds since 1970. */
  readonly at: number;
  /** Concurrent requests of the same subscription when this body was complete, this one included. */
  readonly inFlight: number;
  /** Status of the answer. Null until the answer is sent, or when the sender closed the connection before that. */
  statusCode: number | null;
}

export type Answer = (
  reception: Reception,
  response: ServerResponse,
  request: { readonly headers: IncomingHttpHeaders; readonly body: string },
) => void;

/** The data for the check of a signature, kept until the signing key is known. */
interface Exchange {
  readonly subscriptionId: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly receivedAt: Date;
}

const TOLERANCE_SECONDS = 300;

/**
 * Destinations of subscriptions, all in this process. They record every request and answer 204; {@link answerWith}
 * changes the answer. Each origin (host and port) is a separate destination for the limits of the notifier.
 */
export class Destinations {
  readonly receptions: Reception[] = [];
  /** Maximum number of concurrent requests so far, by subscription id. */
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

  /** @param index number of the origin, modulo the number of origins */
  url(index = 0): string {
    const address = this.#servers[index % this.#servers.length]?.address();
    if (!address || typeof address === 'string') throw new Error('the server does not listen on a TCP port');
    return `http://127.0.0.1:${address.port}/hook`;
  }

  answerWith(answer: Answer): void {
    this.#answer = answer;
  }

  /** Sets the signing keys with which the signatures of a subscription are checked from now on. */
  setKeys(subscriptionId: number, keys: readonly string[]): void {
    this.#keys.set(subscriptionId, keys);
  }

  /** Postpones the check of a subscription's signatures until its signing keys are set again. */
  clearKeys(subscriptionId: number): void {
    this.#keys.delete(subscriptionId);
  }

  /** Counts messages with an invalid signature. A message whose key was never set counts as invalid. */
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
    const message = JSON.parse(body) as { message_id: string; subscription: { id: number }; details: { id: number } };
    const subscriptionId = message.subscription.id;
    const reception: Reception = {
      messageId: message.message_id,
      subscriptionId,
      subjectId: message.details.id,
      bodyHash: createHash('sha256').update(body).digest('base64'),
      attempt: Number(headers['x-service-notify-attempt']),
      sequence: Number(headers['x-service-notify-sequence']),
      at: Date.now(),
      inFlight: this.#enter(subscriptionId),
      statusCode: null,
    };
    response.on('finish', () => (reception.statusCode = response.statusCode));
    response.on('close', () => this.#inFlight.set(subscriptionId, (this.#inFlight.get(subscriptionId) ?? 1) - 1));
    response.on('error', () => undefined);
    this.receptions.push(reception);
    const exchange = { subscriptionId, headers, body, receivedAt: new Date(reception.at) };
    this.#checkSignature(exchange, false);
    this.#answer(reception, response, exchange);
  }

  #enter(subscriptionId: number): number {
    const inFlight = (this.#inFlight.get(subscriptionId) ?? 0) + 1;
    this.#inFlight.set(subscriptionId, inFlight);
    this.mostInFlight.set(subscriptionId, Math.max(inFlight, this.mostInFlight.get(subscriptionId) ?? 0));
    return inFlight;
  }

  /** A message may arrive before the test knows its signing key. {@link countBadSignatures} then checks the message. */
  #checkSignature(exchange: Exchange, isLast: boolean): void {
    const keys = this.#keys.get(exchange.subscriptionId);
    if (keys === undefined && !isLast) this.#unchecked.push(exchange);
    else if (keys === undefined || !isSigned(exchange, keys)) this.#badSignatures += 1;
  }
}

/** Checks a signature header as receivers do: one of its signatures must be made with one of the keys. */
function isSigned({ headers, body, receivedAt }: Exchange, keys: readonly string[]): boolean {
  try {
    verify({ body, headers, keys, toleranceSeconds: TOLERANCE_SECONDS, now: receivedAt });
    return true;
  } catch {
    return false;
  }
}
