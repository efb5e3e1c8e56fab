import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { registerInstrumentations } from '@opentelemetry/instrumentation';
import { IORedisInstrumentation } from '@opentelemetry/instrumentation-ioredis';
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { HarmlessSpans } from './harmless-spans.js';
import { spanMaker } from './open-telemetry-spans.js';
import { type RunningTracing } from './running-tracing.js';
import { type TracingOptions } from './tracing.js';

/** The whole of OpenTelemetry: loaded by `startTracing` alone, and only when somebody collects. */
export function runTracing({
  protocol,
  serviceName,
  version,
  require,
  onCollector,
}: TracingOptions & { readonly endpoint: string }): RunningTracing {
  const resource = defaultResource()
    .merge(resourceFromAttributes({ 'service.name': serviceName, 'service.version': version }))
    // The operator's own comes last.
    .merge(detectResources({ detectors: [envDetector] }));
  // Addresses, headers and times are read from the environment by the exporters themselves.
  const exporter = protocol === 'http/json' ? new JsonExporter() : new ProtobufExporter();
  const provider = new NodeTracerProvider({
    resource,
    spanProcessors: [new BatchSpanProcessor(new HarmlessSpans(exporter, onCollector))],
  });
  provider.register();
  watchDrivers(provider, require);
  return { maker: spanMaker(provider.getTracer('@ats/telemetry', version)), stop: () => provider.shutdown() };
}

/**
 * Statements and commands as spans, where they belong to something: what polls has no trace of its own. Text without values,
 * names of commands without keys.
 */
function watchDrivers(tracerProvider: NodeTracerProvider, require: TracingOptions['require']): void {
  const instrumentations = [
    new PgInstrumentation({
      requireParentSpan: true,
      ignoreConnectSpans: true,
      requestHook: (span, { query }) => void span.updateName(operationOf(query.text)),
    }),
    new IORedisInstrumentation({ requireParentSpan: true, dbStatementSerializer: (command) => command }),
  ];
  registerInstrumentations({ tracerProvider, instrumentations });
  // They change a driver when it is required, which an `import` of it is not. That the app has it loaded already does not matter.
  for (const driver of ['pg', 'ioredis']) require(driver);
}

/** `SELECT`, `INSERT`, …: spans are named by what is done, of which there are few. */
const operationOf = (text: string): string => /^\s*([a-z]+)/i.exec(text)?.[1]?.toUpperCase() ?? 'statement';
