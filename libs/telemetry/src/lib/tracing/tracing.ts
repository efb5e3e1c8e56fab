import { NO_TRACING, type RunningTracing } from './running-tracing.js';
import { useSpanMaker } from './spans.js';

export interface TracingOptions {
  /** `OTEL_EXPORTER_OTLP_ENDPOINT`: where spans are sent. Without one nothing is loaded, and nothing is made. */
  readonly endpoint: string | undefined;
  /** `OTEL_SDK_DISABLED`: the same as without. */
  readonly isDisabled?: boolean | undefined;
  /** `OTEL_EXPORTER_OTLP_PROTOCOL` */
  readonly protocol: 'http/protobuf' | 'http/json';
  /** Unless `OTEL_SERVICE_NAME` says another. */
  readonly serviceName: string;
  readonly version: string;
  /** Loads a module of the app, so that the one that the app uses is the one that is watched: `createRequire(import.meta.url)`. */
  readonly require: (name: string) => unknown;
  /** Told when the collector is gone, and when it is back; not for each batch of spans. */
  readonly onCollector: (isThere: boolean) => void;
}

/** What is left to be sent when a process ends is waited for so long: an app has 30 s to end. */
const FLUSH_MS = 2_000;

let running: RunningTracing = NO_TRACING;

/**
 * Collects traces from now on. The rest of the configuration is OpenTelemetry's own (`OTEL_EXPORTER_OTLP_HEADERS`,
 * `OTEL_TRACES_SAMPLER`, `OTEL_RESOURCE_ATTRIBUTES`, …), read by its libraries.
 */
export async function startTracing(options: TracingOptions): Promise<void> {
  const { endpoint, isDisabled } = options;
  if (endpoint === undefined || isDisabled) return;
  const { runTracing } = await import('./sdk.js');
  running = runTracing({ ...options, endpoint });
  useSpanMaker(running.maker);
}

/** Sends what is left. Never rejects, and takes two seconds at most. */
export async function stopTracing(): Promise<void> {
  const stopped = running.stop().catch(() => undefined);
  running = NO_TRACING;
  useSpanMaker(null);
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => (timer = setTimeout(resolve, FLUSH_MS)));
  await Promise.race([stopped, timeout]);
  clearTimeout(timer);
}
