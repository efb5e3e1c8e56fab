import { once } from 'node:events';
import {
  Agent,
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as sendRequest,
  type Server,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo } from 'node:net';
import { progress } from './progress.js';

const CHECK_MS = 200;
const CHECK_TIMEOUT_MS = 1_000;
/** What concerns one connection and is not passed on (RFC 9110 7.6.1). */
const HOP_BY_HOP = ['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade'];
/** What may be sent again when nobody knows whether it has arrived (RFC 9110 9.2.2). */
const IDEMPOTENT = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);

interface Backend {
  readonly url: string;
  readonly agent: Agent;
  isServing: boolean;
}

/**
 * A load balancer as they are in front of real services: takes turns, asks each process whether it wants requests, keeps connections,
 * goes on to the next one when a connection is refused, and sends again only what may be. All else it has to answer with 502 or 503.
 */
export class Proxy {
  /** Answers of its own, and requests that it had to send twice. */
  readonly counts = { requests: 0, refused: 0, repeated: 0, badGateway: 0, nobody: 0 };
  readonly #server: Server;
  readonly #backends: readonly Backend[];
  readonly #timer: NodeJS.Timeout;
  #turn = 0;

  private constructor(urls: readonly string[]) {
    this.#backends = urls.map((url) => ({
      url,
      agent: new Agent({ keepAlive: true, maxFreeSockets: 16 }),
      isServing: false,
    }));
    this.#server = createServer((request, response) => void this.#serve(request, response));
    this.#timer = setInterval(() => this.#check(), CHECK_MS);
  }

  static async start(urls: readonly string[]): Promise<Proxy> {
    const proxy = new Proxy(urls);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Whether all of them want requests. */
  get isWhole(): boolean {
    return this.#backends.every(({ isServing }) => isServing);
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    for (const { agent } of this.#backends) agent.destroy();
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #check(): void {
    for (const backend of this.#backends) {
      void fetch(`${backend.url}/health/serving`, { signal: AbortSignal.timeout(CHECK_TIMEOUT_MS) }).then(
        ({ ok }) => (backend.isServing = ok),
        () => (backend.isServing = false),
      );
    }
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.counts.requests += 1;
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer);
    } catch {
      return void response.destroy(); // the client has gone
    }
    const body = Buffer.concat(chunks);
    const asked = new Set<Backend>();
    for (;;) {
      const backend = this.#next(asked);
      if (!backend) return this.#answer(response, asked.size === 0 ? 'nobody' : 'badGateway');
      asked.add(backend);
      const passing = pass({ backend, request, body, response });
      progress.emit('api', this.#backends.indexOf(backend));
      const fate = await passing;
      if (fate === 'answered') return;
      if (fate === 'lost' && !IDEMPOTENT.has(request.method ?? '')) return this.#answer(response, 'badGateway');
      this.counts[fate === 'refused' ? 'refused' : 'repeated'] += 1;
      if (fate === 'refused') backend.isServing = false;
    }
  }

  #next(asked: ReadonlySet<Backend>): Backend | undefined {
    const left = this.#backends.filter((backend) => backend.isServing && !asked.has(backend));
    return left[this.#turn++ % left.length];
  }

  #answer(response: ServerResponse, fate: 'badGateway' | 'nobody'): void {
    this.counts[fate] += 1;
    if (response.headersSent) return void response.destroy();
    response
      .writeHead(fate === 'nobody' ? 503 : 502, { 'content-type': 'text/plain', 'retry-after': '1' })
      .end(`the proxy: ${fate}`);
  }
}

interface Passing {
  readonly backend: Backend;
  readonly request: IncomingMessage;
  readonly body: Buffer;
  readonly response: ServerResponse;
}

/** @returns `refused` when nothing can have arrived, `lost` when nobody knows, `answered` also when the answer broke off */
function pass({ backend, request, body, response }: Passing): Promise<'answered' | 'refused' | 'lost'> {
  return new Promise((resolve) => {
    const headers = { ...endToEnd(request.headers), 'x-forwarded-for': request.socket.remoteAddress };
    const onward = sendRequest(new URL(request.url ?? '/', backend.url), {
      method: request.method ?? 'GET',
      agent: backend.agent,
      headers,
    });
    onward.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'ECONNREFUSED' ? 'refused' : 'lost'));
    onward.once('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, endToEnd(answer.headers));
      answer.once('error', () => response.destroy());
      answer.pipe(response);
      resolve('answered');
    });
    onward.end(body);
  });
}

const endToEnd = (headers: IncomingHttpHeaders): IncomingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.includes(name)));
