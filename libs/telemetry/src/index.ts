export { metricsContentType, Registry } from './lib/metrics/registry.js';
export { type Sample } from './lib/metrics/gauges.js';
export { Instruments } from './lib/metrics/instruments.js';
export { addBuildInfo, addProcessMetrics, type BuildInfo } from './lib/metrics/process-metrics.js';
export { addPoolGauges, type PoolState } from './lib/metrics/pool-gauges.js';
export { addReadingGauge, Reading, type ReadingOptions, readMany, readOne } from './lib/metrics/reading.js';
export { RequestMeasures } from './lib/metrics/request-measures.js';
export { CLIENT_GONE, type Hook, type HookedReply, type HookedRequest, isGone, onceOver } from './lib/hooks.js';
export { measuringHook } from './lib/metrics/measuring-hook.js';
export { type RequestTracing, type TracingHooks, tracingHooks } from './lib/tracing/tracing-hooks.js';
export {
  type Attributes,
  currentTraceparent,
  failSpan,
  runInSpan,
  type Span,
  type SpanOptions,
  startSpan,
  traceFields,
  traceparentOf,
} from './lib/tracing/spans.js';
export { isTracing, startTracing, stopTracing, type TracingOptions } from './lib/tracing/tracing.js';
