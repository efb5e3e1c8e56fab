import { type Attributes } from '@opentelemetry/api';
import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import { type ReadableSpan, type SpanExporter } from '@opentelemetry/sdk-trace-node';

/**
 * Attributes that are always exported. Other attributes may be personal data, such as URLs, IP addresses and values.
 */
const HARMLESS: readonly string[] = [
  'http.request.method',
  'http.route',
  'http.response.status_code',
  'error.type',
  'db.system.name',
  'db.system',
  'db.namespace',
  'db.query.text',
  'db.statement',
  'messaging.system',
  'messaging.operation.name',
  'messaging.operation.type',
  'messaging.destination.name',
];

/** Maximum length of an attribute text. Longer statements are not worth the storage. */
const MAX_TEXT_LENGTH = 2_000;

/** Exports spans without error messages, events and links, and only with the attributes on a list. */
export class HarmlessSpans implements SpanExporter {
  #isAvailable = true;
  readonly #allowed: ReadonlySet<string>;

  /** @param attributes  names of further attributes to export */
  constructor(
    private readonly exporter: SpanExporter,
    private readonly onCollector: (isAvailable: boolean) => void,
    attributes: readonly string[] = [],
  ) {
    this.#allowed = new Set([...HARMLESS, ...attributes]);
  }

  export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    const harmless = spans.map((span) => harmlessSpan(span, this.#allowed));
    this.exporter.export(harmless, (result) => {
      this.#note(result.code === ExportResultCode.SUCCESS);
      // Always reports success, because OpenTelemetry would log an unavailable collector for each batch. `onCollector`
      // reports it once instead.
      done({ code: ExportResultCode.SUCCESS });
    });
  }

  #note(isAvailable: boolean): void {
    if (isAvailable === this.#isAvailable) return;
    this.#isAvailable = isAvailable;
    this.onCollector(isAvailable);
  }

  async forceFlush(): Promise<void> {
    await this.exporter.forceFlush?.();
  }

  shutdown(): Promise<void> {
    return this.exporter.shutdown();
  }
}

/**
 * Copies the allowed fields of a span. The fields are listed one by one, so that new fields of the library are not
 * exported.
 */
const harmlessSpan = (span: ReadableSpan, allowed: ReadonlySet<string>): ReadableSpan => ({
  name: span.name,
  kind: span.kind,
  spanContext: () => span.spanContext(),
  ...(span.parentSpanContext && { parentSpanContext: span.parentSpanContext }),
  startTime: span.startTime,
  endTime: span.endTime,
  duration: span.duration,
  ended: span.ended,
  status: { code: span.status.code },
  attributes: harmlessAttributes(span.attributes, allowed),
  links: [],
  events: [],
  resource: span.resource,
  instrumentationScope: span.instrumentationScope,
  droppedAttributesCount: span.droppedAttributesCount,
  droppedEventsCount: span.droppedEventsCount,
  droppedLinksCount: span.droppedLinksCount,
});

const harmlessAttributes = (attributes: Attributes, allowed: ReadonlySet<string>): Attributes =>
  Object.fromEntries(
    Object.entries(attributes)
      .filter(([name]) => allowed.has(name))
      .map(([name, value]) => [name, typeof value === 'string' ? value.slice(0, MAX_TEXT_LENGTH) : value]),
  );
