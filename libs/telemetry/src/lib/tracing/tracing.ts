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

/** Longest wait in ms for the last spans when a process ends. An app has 30 s to end. */
const FLUSH_MS = 2_000;

let shutdown: (() => Promise<void>) | undefined;

/** True from {@link startTracing} with an endpoint until {@link stopTracing}. */
export const isTracing = (): boolean => shutdown !== undefined;

/**
 * Sends spans to a collector from now on. OpenTelemetry's libraries read further variables themselves:
 * `OTEL_EXPORTER_OTLP_HEADERS`, `OTEL_TRACES_SAMPLER`, `OTEL_RESOURCE_ATTRIBUTES` and others.
 */
export async function startTracing(options: TracingOptions): Promise<void> {
  if (options.endpoint === undefined || options.isDisabled) return;
  const { startSdk } = await import('./sdk.js');
  shutdown = startSdk(options);
}

/** Sends the spans that wait, for 2 s at most, and stops. Never rejects. */
export async function stopTracing(): Promise<void> {
  const stopped = shutdown?.().catch(() => undefined);
  shutdown = undefined;
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => (timer = setTimeout(resolve, FLUSH_MS)));
  await Promise.race([stopped, timeout]);
  clearTimeout(timer);
}
