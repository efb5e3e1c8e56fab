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

/** One request as a destination saw it. */
export interface Reception {
  readonly messageId: string;
  readonly subscriptionId: number;
  /** `details.id`. */
  readonly subjectId: number;
  readonly bodyHash: string;
  /** `x-service-notify-attempt` and `-sequence`. */
  readonly attempt: number;
  readonly sequence: number;
  /** When the body was complete, in milliseconds since 1970. */
  readonly at: number;
  /** Requests of the same subscription in flight at that moment, this one included. */
  readonly inFlight: number;
  /** Of the answer; null as long as there is none, and for good when the sender hung up before. */
  statusCode: number | null;
}

export type Answer = (
  reception: Reception,
  response: ServerResponse,
  request: { readonly headers: IncomingHttpHeaders; readonly body: string },
) => void;

/** What is needed to judge a signature; kept until its key is known. */
interface Exchange {
  readonly subscriptionId: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly receivedAt: Date;
}

const TOLERANCE_SECONDS = 300;

/**
 * Clients' servers, all in this process: writes down everything that comes and answers 204, unless told otherwise.
 * Each origin (host and port) is a destination of its own for the limits of the notifier.
 */
export class Destinations {
  readonly receptions: Reception[] = [];
  /** Greatest number of requests in flight at the same time, by subscription. */
  readonly mostInFlight = new Map<number, number>();
  readonly #servers: Server[] = [];
  readonly #keys = new Map<number, readonly string[]>();
  readonly #unjudged: Exchange[] = [];
  readonly #inFlight = new Map<number, number>();
  #badSignatures = 0;
  #answer: Answer = (_, response) => void response.writeHead(204).end();

  static async start(origins = 1): Promise<Destinations> {
    const destinations = new Destinations();
    for (let index = 0; index < origins; index += 1) await destinations.#listen();
    return destinations;
  }

  /** @param index counted around when there are fewer origins */
  url(index = 0): string {
    const address = this.#servers[index % this.#servers.length]?.address();
    if (!address || typeof address === 'string') throw new Error('a TCP server has a port');
    return `http://127.0.0.1:${address.port}/hook`;
  }

  answerWith(answer: Answer): void {
    this.#answer = answer;
  }

  /** The keys that sign a subscription's messages from now on. */
  setKeys(subscriptionId: number, keys: readonly string[]): void {
    this.#keys.set(subscriptionId, keys);
  }

  /** Signatures are judged when the keys are told again. */
  forgetKeys(subscriptionId: number): void {
    this.#keys.delete(subscriptionId);
  }

  /** Messages whose signature is wrong, those included whose key nobody told. */
  countBadSignatures(): number {
    for (const exchange of this.#unjudged.splice(0)) this.#judge(exchange, true);
    return this.#badSignatures;
  }

  async stop(): Promise<void> {
    for (const server of this.#servers) server.closeAllConnections();
    await Promise.all(this.#servers.map((server) => new Promise((resolve) => server.close(resolve))));
  }

  async #listen(): Promise<void> {
    const server = createServer((request, response) => {
      this.#receive(request, response).catch(() => response.destroy()); // the sender was killed while it sent
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
    this.#judge(exchange, false);
    this.#answer(reception, response, exchange);
  }

  #enter(subscriptionId: number): number {
    const inFlight = (this.#inFlight.get(subscriptionId) ?? 0) + 1;
    this.#inFlight.set(subscriptionId, inFlight);
    this.mostInFlight.set(subscriptionId, Math.max(inFlight, this.mostInFlight.get(subscriptionId) ?? 0));
    return inFlight;
  }

  /** A message may be here before its subscription's key is: then it waits. */
  #judge(exchange: Exchange, isLast: boolean): void {
    const keys = this.#keys.get(exchange.subscriptionId);
    if (keys === undefined && !isLast) this.#unjudged.push(exchange);
    else if (keys === undefined || !isSigned(exchange, keys)) this.#badSignatures += 1;
  }
}

/** Any receiver's check: one of the two signatures must be by a key that it knows. */
function isSigned({ headers, body, receivedAt }: Exchange, keys: readonly string[]): boolean {
  try {
    verify({ body, headers, keys, toleranceSeconds: TOLERANCE_SECONDS, now: receivedAt });
    return true;
  } catch {
    return false;
  }
}
