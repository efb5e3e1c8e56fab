import { type TracingOptions } from './sdk.js';

/** Maximum wait in ms for the last spans when a process ends. An app has 30 s to end. */
const FLUSH_MS = 2_000;

let shutdown: (() => Promise<void>) | undefined;

/** True after {@link startTracing} with an endpoint, until {@link stopTracing}. */
export const isTracing = (): boolean => shutdown !== undefined;

/**
 * Begins to send spans to a collector. Does nothing without an endpoint, or when tracing is disabled. The libraries of
 * OpenTelemetry read further variables by themselves: `OTEL_EXPORTER_OTLP_HEADERS`, `OTEL_TRACES_SAMPLER`,
 * `OTEL_RESOURCE_ATTRIBUTES` and others.
 */
export async function startTracing(options: TracingOptions): Promise<void> {
  if (options.endpoint === undefined || options.isDisabled) return;
  const { startSdk } = await import('./sdk.js');
  shutdown = startSdk(options);
}

/** Sends the waiting spans, which takes at most 2 s, and stops. Never rejects. */
export async function stopTracing(): Promise<void> {
  const stopped = shutdown?.().catch(() => undefined);
  shutdown = undefined;
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => (timer = setTimeout(resolve, FLUSH_MS)));
  await Promise.race([stopped, timeout]);
  clearTimeout(timer);
}
