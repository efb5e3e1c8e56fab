import { context, propagation, trace } from '@opentelemetry/api';
import { getStringFromEnv, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { registerInstrumentations } from '@opentelemetry/instrumentation';
import { IORedisInstrumentation } from '@opentelemetry/instrumentation-ioredis';
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { HarmlessSpans } from './harmless-spans.js';

/** Options of `startTracing`. */
export interface TracingOptions {
  /**
   * The URL of the collector. `/v1/traces` is appended to the URL. Without a URL, the SDK is not loaded and no span is
   * recorded. The variable `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT` overrides the URL.
   */
  readonly endpoint: string | undefined;
  /** The value of `OTEL_SDK_DISABLED`. True has the same effect as no endpoint. Defaults to false. */
  readonly isDisabled?: boolean | undefined;
  /** The encoding of exported spans, see `OTEL_EXPORTER_OTLP_PROTOCOL`. */
  readonly protocol: 'http/protobuf' | 'http/json';
  /** The name of the process in traces. `OTEL_SERVICE_NAME` overrides it. */
  readonly serviceName: string;
  /** The version of the service. */
  readonly version: string;
  /**
   * Names of attributes to export besides those of HTTP, SQL and messaging. Their values must never be personal data.
   */
  readonly attributes?: readonly string[];
  /**
   * `createRequire(import.meta.url)` of the app. It makes the SDK instrument the drivers that the app uses. It may
   * throw for `pg` and `ioredis` when the app does not have them.
   */
  readonly require: (name: string) => unknown;
  /**
   * Called when the collector becomes unavailable, and when it is available again. It is not called for each batch of
   * spans.
   */
  readonly onCollector: (isAvailable: boolean) => void;
}

/**
 * Registers OpenTelemetry's SDK. `startTracing` loads this module only when a collector is configured.
 * @returns a function that unregisters the SDK and sends the waiting spans
 */
export function startSdk({
  endpoint,
  protocol,
  attributes,
  serviceName,
  version,
  require,
  onCollector,
}: TracingOptions): () => Promise<void> {
  const resource = defaultResource()
    .merge(resourceFromAttributes({ 'service.name': serviceName, 'service.version': version }))
    // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES come last, so that they override the service's own values.
    .merge(detectResources({ detectors: [envDetector] }));
  // The exporters themselves read headers and timeouts from the environment.
  const target = urlOf(endpoint);
  const exporter = protocol === 'http/json' ? new JsonExporter(target) : new ProtobufExporter(target);
  const provider = new NodeTracerProvider({
    resource,
    spanProcessors: [new BatchSpanProcessor(new HarmlessSpans(exporter, onCollector, attributes))],
  });
  provider.register({ propagator: new W3CTraceContextPropagator() });
  instrumentDrivers(provider, require);
  return () => {
    for (const api of [trace, context, propagation]) api.disable();
    return provider.shutdown();
  };
}

/**
 * Returns the option `url` of an exporter: the address for spans below an endpoint. Without the option, the exporter
 * takes the address from its environment variables.
 */
function urlOf(endpoint: string | undefined): { readonly url?: string } {
  if (endpoint === undefined || getStringFromEnv('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT')) return {};
  return { url: new URL('v1/traces', endpoint.endsWith('/') ? endpoint : `${endpoint}/`).href };
}

/**
 * Creates spans of SQL statements and Redis commands. Such a span is created only within another span, so that polling
 * loops create no spans. A span has the statement without its values, or the name of the command without its keys.
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
  // An instrumentation patches a driver when `require()` loads it, but not when `import` does. This call patches
  // drivers that `import` has already loaded.
  for (const driver of ['pg', 'ioredis']) loadIfInstalled(driver, require);
}

function loadIfInstalled(driver: string, require: TracingOptions['require']): void {
  try {
    require(driver);
  } catch (error) {
    const isMissing =
      typeof error === 'object' && error !== null && 'code' in error && error.code === 'MODULE_NOT_FOUND';
    if (!isMissing) throw error;
  }
}

/**
 * Returns the first word of a statement, such as `SELECT`. It is the name of the span, because spans should have few
 * different names.
 */
const operationOf = (text: string): string => /^\s*([a-z]+)/i.exec(text)?.[1]?.toUpperCase() ?? 'statement';
