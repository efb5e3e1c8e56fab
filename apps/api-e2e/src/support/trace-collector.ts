import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { text } from 'node:stream/consumers';

interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: number | string };
}

/** A span in the JSON format of OTLP. */
export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: readonly Attribute[];
  /** The `service.name` of the process that created the span. */
  readonly service: string;
}

interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly CollectedSpan[] }[];
  }[];
}

/** An OpenTelemetry collector. It receives spans as JSON over OTLP/HTTP, and stores them. */
export class TraceCollector {
  readonly spans: CollectedSpan[] = [];
  /** The body of every export request, unchanged. */
  readonly exports: string[] = [];

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(): Promise<TraceCollector> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string')
      throw new Error('the trace collector of the test does not listen on a TCP port');
    const collector = new TraceCollector(server, `http://127.0.0.1:${address.port}`);
    server.on(
      'request',
      (request, response) =>
        void collector.#take(request).then(() => response.setHeader('content-type', 'application/json').end('{}')),
    );
    return collector;
  }

  async #take(request: IncomingMessage): Promise<void> {
    const body = await text(request);
    this.exports.push(body);
    for (const { resource, scopeSpans } of (JSON.parse(body) as Export).resourceSpans) {
      const service = resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue ?? '';
      this.spans.push(...scopeSpans.flatMap(({ spans }) => spans.map((span) => ({ ...span, service }))));
    }
  }

  async stop(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }
}

export const attributesOf = ({ attributes }: CollectedSpan): Readonly<Record<string, string | number | undefined>> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]));
