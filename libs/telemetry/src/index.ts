export { CLIENT_GONE, type Hook, type HookedReply, type HookedRequest, isGone, onceOver } from './lib/hooks.js';
export { Instruments, type ObservedMetric, type Sample } from './lib/metrics/instruments.js';
export { addPoolGauges, type PoolState } from './lib/metrics/pool-gauges.js';
export { addBuildInfo, addProcessMetrics, type BuildInfo } from './lib/metrics/process-metrics.js';
export { addReadingGauge, Reading, type ReadingOptions, readMany, readOne } from './lib/metrics/reading.js';
export { metricsContentType, Registry } from './lib/metrics/registry.js';
export { type CompletedRequest, metricsHook, RequestMetrics } from './lib/metrics/request-metrics.js';
export {
  currentTraceparent,
  failSpan,
  runInSpan,
  type Span,
  type SpanOptions,
  startSpan,
  traceFields,
  traceparentOf,
} from './lib/tracing/spans.js';
export { type RequestTracing, type TracingHooks, tracingHooks } from './lib/tracing/tracing-hooks.js';
export { isTracing, startTracing, stopTracing } from './lib/tracing/tracing.js';
export { type TracingOptions } from './lib/tracing/sdk.js';
