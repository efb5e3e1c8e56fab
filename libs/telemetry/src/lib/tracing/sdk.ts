import { context, propagation, trace } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { registerInstrumentations } from '@opentelemetry/instrumentation';
import { IORedisInstrumentation } from '@opentelemetry/instrumentation-ioredis';
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { HarmlessSpans } from './harmless-spans.js';

export interface TracingOptions {
  /**
   * `OTEL_EXPORTER_OTLP_ENDPOINT`: the URL of the collector. Without it, the SDK is not loaded and no span is recorded.
   */
  readonly endpoint: string | undefined;
  /** `OTEL_SDK_DISABLED`: true has the same effect as no endpoint. Defaults to false. */
  readonly isDisabled?: boolean | undefined;
  /** `OTEL_EXPORTER_OTLP_PROTOCOL` */
  readonly protocol: 'http/protobuf' | 'http/json';
  /** The name of the process in traces. `OTEL_SERVICE_NAME` overrides it. */
  readonly serviceName: string;
  readonly version: string;
  /** `createRequire(import.meta.url)` of the app, so that the drivers which the app uses are instrumented. */
  readonly require: (name: string) => unknown;
  /** Called when the collector becomes unavailable and when it is available again, not for each batch of spans. */
  readonly onCollector: (isAvailable: boolean) => void;
}

/**
 * Registers OpenTelemetry's SDK, which `startTracing` loads only when a collector is configured.
 * @returns unregisters the SDK and sends the spans that wait
 */
export function startSdk({
  protocol,
  serviceName,
  version,
  require,
  onCollector,
}: TracingOptions): () => Promise<void> {
  const resource = defaultResource()
    .merge(resourceFromAttributes({ 'service.name': serviceName, 'service.version': version }))
    // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES come last, so that they override ours.
    .merge(detectResources({ detectors: [envDetector] }));
  // The exporters read endpoint, headers and timeouts from the environment themselves.
  const exporter = protocol === 'http/json' ? new JsonExporter() : new ProtobufExporter();
  const provider = new NodeTracerProvider({
    resource,
    spanProcessors: [new BatchSpanProcessor(new HarmlessSpans(exporter, onCollector))],
  });
  provider.register({ propagator: new W3CTraceContextPropagator() });
  instrumentDrivers(provider, require);
  return () => {
    for (const api of [trace, context, propagation]) api.disable();
    return provider.shutdown();
  };
}

/**
 * Makes spans of SQL statements and Redis commands, but only within another span, so that polling loops make none. A
 * span holds the statement without its values and the name of the command without its keys.
 */
function instrumentDrivers(tracerProvider: NodeTracerProvider, require: TracingOptions['require']): void {
  const instrumentations = [
    new PgInstrumentation({
      requireParentSpan: true,
      ignoreConnectSpans: true,
      requestHook: (span, { query }) => void span.updateName(operationOf(query.text)),
    }),
    new IORedisInstrumentation({ requireParentSpan: true, dbStatementSerializer: (command) => command }),
  ];
  registerInstrumentations({ tracerProvider, instrumentations });
  // An instrumentation patches a driver when `require()` loads it, but not when `import` does. This call also patches
  // drivers that `import` has already loaded.
  for (const driver of ['pg', 'ioredis']) require(driver);
}

/**
 * Returns the first word of a statement, such as `SELECT`, as the name of its span. Spans must have few different
 * names.
 */
const operationOf = (text: string): string => /^\s*([a-z]+)/i.exec(text)?.[1]?.toUpperCase() ?? 'statement';
