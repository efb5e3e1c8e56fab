import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';

const TOPIC = { id: 1, name: 'Applications' };
const PAGE = 100;
const TICK_MS = 10;

/**
 * Answers the few requests of the delivery log as the API does, and sends messages at a steady rate. The real service on
 * the same machine would compete with the browser that is measured.
 */
export class BusyEndpoint {
  /** Number of messages that were sent to the console. */
  sent = 0;
  /** Number of requests for the list of deliveries. */
  lists = 0;
  #timer: NodeJS.Timeout | undefined;
  #stream: ServerResponse | undefined;
  #startedAt = 0;

  private constructor(
    private readonly server: Server,
    readonly origin: string,
  ) {}

  static async start(): Promise<BusyEndpoint> {
    const server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const result = new BusyEndpoint(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    server.on('request', ({ url = '', method = '', headers }, response: ServerResponse) => {
      const cors = {
        'access-control-allow-origin': headers.origin ?? '*',
        'access-control-allow-headers': String(headers['access-control-request-headers'] ?? ''),
        'access-control-allow-methods': 'GET, POST',
      };
      if (method === 'OPTIONS') return response.writeHead(204, cors).end();
      const path = new URL(url, 'http://api').pathname.replace('/api/v1', '');
      if (path.endsWith('/stream')) {
        response.writeHead(200, { ...cors, 'content-type': 'text/event-stream' }).write(': open\n\n');
        result.#stream = response;
        return response;
      }
      return response
        .writeHead(200, { ...cors, 'content-type': 'application/json' })
        .end(JSON.stringify(result.#answer(path)));
    });
    return result;
  }

  /** Sends messages until `stop`. The rate holds on average, also when a timer is late. */
  send(perSecond: number): void {
    this.#startedAt = Date.now();
    this.#timer = setInterval(() => {
      const due = ((Date.now() - this.#startedAt) / 1_000) * perSecond;
      for (; this.sent < due; this.sent++)
        this.#stream?.write(
          `id: ${this.sent}\nevent: APPLICATION_CREATE\ndata: ${JSON.stringify(body(this.sent))}\n\n`,
        );
    }, TICK_MS);
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  #answer(path: string): unknown {
    if (path === '/me') return { id: 1, name: 'integrator', scopes: ['notifications:read'] };
    if (path === '/scopes') return [{ scope: 'notifications:read', includes: [] }];
    const endpoint = {
      id: 1,
      name: 'receiver',
      health: { backlog: 0, success_rate_24h: 1, disabled_dt: null },
      subscriptions: [{ id: 1, topic: TOPIC }],
    };
    if (path === '/notification_endpoints') return [endpoint];
    if (path === '/notification_endpoints/1') return endpoint;
    if (path.endsWith('/deliveries')) {
      this.lists++;
      return Array.from({ length: Math.min(PAGE, this.sent) }, (_, index) => delivery(this.sent - index));
    }
    return [];
  }
}

const body = (id: number): object => ({ message_id: `message-${id}`, details: { id, url: `https://ats.test/${id}` } });

function delivery(id: number): object {
  const at = new Date().toISOString();
  const attempt = { attempt: 1, at, url: 'https://receiver.test/', status_code: 204, error: null, duration_ms: 12 };
  return {
    id,
    event_id: id,
    occurred_dt: at,
    status: 'delivered',
    attempts: [{ ...attempt, response_excerpt: 'x'.repeat(200) }],
    body: JSON.stringify(body(id)),
  };
}
