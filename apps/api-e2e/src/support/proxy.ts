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
/**
 * Timeout of a health check in ms. It is long, because a busy machine delays answers. A process that has ended refuses
 * the connection at once.
 */
const CHECK_TIMEOUT_MS = 10_000;
/** Headers that concern one connection and that a proxy does not forward (RFC 9110 7.6.1). */
const HOP_BY_HOP = ['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade'];
/** Methods that a proxy may send again when it does not know whether the request arrived (RFC 9110 9.2.2). */
const IDEMPOTENT = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);

interface Backend {
  readonly url: string;
  readonly agent: Agent;
  isServing: boolean;
}

/**
 * A load balancer with persistent connections. It sends requests in turn to the processes whose `/health/serving` is
 * 200. When a process refuses the connection, it tries the next one. When an answer is lost, it repeats only idempotent
 * requests. Otherwise it answers 502 or 503.
 */
export class Proxy {
  /** Numbers of requests, refused connections, repeated requests, and the proxy's own 502 and 503 answers. */
  readonly counts = { requests: 0, refused: 0, repeated: 0, badGateway: 0, unavailable: 0 };
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

  get areAllServing(): boolean {
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
      return void response.destroy(); // The client aborted the request.
    }
    const body = Buffer.concat(chunks);
    const tried = new Set<Backend>();
    for (;;) {
      const backend = this.#next(tried);
      if (!backend) return this.#answer(response, tried.size === 0 ? 'unavailable' : 'badGateway');
      tried.add(backend);
      const forwarding = forward({ backend, request, body, response });
      progress.emit('api', this.#backends.indexOf(backend));
      const outcome = await forwarding;
      if (outcome === 'answered') return;
      if (outcome === 'lost' && !IDEMPOTENT.has(request.method ?? '')) return this.#answer(response, 'badGateway');
      this.counts[outcome === 'refused' ? 'refused' : 'repeated'] += 1;
      if (outcome === 'refused') backend.isServing = false;
    }
  }

  #next(tried: ReadonlySet<Backend>): Backend | undefined {
    const left = this.#backends.filter((backend) => backend.isServing && !tried.has(backend));
    return left[this.#turn++ % left.length];
  }

  #answer(response: ServerResponse, error: 'badGateway' | 'unavailable'): void {
    this.counts[error] += 1;
    if (response.headersSent) return void response.destroy();
    response
      .writeHead(error === 'unavailable' ? 503 : 502, { 'content-type': 'text/plain', 'retry-after': '1' })
      .end(`the proxy: ${error}`);
  }
}

interface ForwardOptions {
  readonly backend: Backend;
  readonly request: IncomingMessage;
  readonly body: Buffer;
  readonly response: ServerResponse;
}

/**
 * Forwards a request to a process.
 * @returns `refused` when the request cannot have arrived, `lost` when it may have arrived, and `answered` when an
 *   answer has begun, even if it was aborted later
 */
function forward({ backend, request, body, response }: ForwardOptions): Promise<'answered' | 'refused' | 'lost'> {
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
