export { CLIENT_GONE, isGone, onceOver } from './lib/hooks.js';
export { Instruments } from './lib/metrics/instruments.js';
export { addPoolGauges } from './lib/metrics/pool-gauges.js';
export { addBuildInfo, addProcessMetrics } from './lib/metrics/process-metrics.js';
export { addReadingGauge, Reading, readMany, readOne } from './lib/metrics/reading.js';
export { metricsContentType, Registry } from './lib/metrics/registry.js';
export { metricsHook, RequestMetrics } from './lib/metrics/request-metrics.js';
export {
  currentTraceparent,
  failSpan,
  runInSpan,
  type Span,
  startSpan,
  traceFields,
  traceparentOf,
} from './lib/tracing/spans.js';
export { tracingHooks } from './lib/tracing/tracing-hooks.js';
export { isTracing, startTracing, stopTracing } from './lib/tracing/tracing.js';
export { type TracingOptions } from './lib/tracing/sdk.js';
