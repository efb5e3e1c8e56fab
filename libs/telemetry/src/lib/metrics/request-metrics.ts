import { type Counter, type Gauge, type Histogram } from 'prom-client';
import { type Hook, type HookedReply, onceOver, routeOf } from '../hooks.js';
import { type Instruments } from './instruments.js';

/** A request that has ended: its answer is complete, or its client has closed the connection. */
export interface CompletedRequest {
  /** The HTTP method. */
  readonly method: string;
  /** The pattern of the route, such as `/api/v1/candidates/:id`. Undefined when no route matches. */
  readonly route: string | undefined;
  /** The HTTP status. */
  readonly status: number;
  /** The time in ms from the request to the end of its answer. */
  readonly durationMs: number;
  /** Length of the answer's body in bytes. 0 when it is not known. */
  readonly bytes: number;
}

/** Bounds of the buckets in seconds. Most pages take milliseconds, and a large page a fraction of a second. */
const DURATION_BUCKETS = [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/**
 * Label for a request that matches no route or whose method is not in `METHODS`. Without this label, clients could
 * create any number of series.
 */
const UNKNOWN = 'unknown';
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** The metrics of one combination of method, route and status. */
interface Series {
  count(): void;
  time(seconds: number): void;
  size(bytes: number): void;
}

/**
 * Counts requests, and measures their durations and the sizes of their answers. Clients cannot create labels, so the
 * number of series is limited.
 */
export class RequestMetrics {
  readonly #inFlight: Gauge;
  readonly #requests: Counter<'method' | 'route' | 'status'>;
  readonly #durations: Histogram<'method' | 'route' | 'status_class'>;
  readonly #bytes: Counter<'method' | 'route'>;
  /**
   * Maps a text of method, status and route to its series. Each request needs a look-up, and a single one by this text
   * is faster than a look-up of labels in each metric.
   */
  readonly #series = new Map<string, Series>();

  constructor(instruments: Instruments) {
    this.#inFlight = instruments.gauge('http_requests_in_flight', 'Requests that this process is working on');
    this.#requests = instruments.counter('http_requests_total', 'Requests that were answered', [
      'method',
      'route',
      'status',
    ]);
    this.#durations = instruments.histogram(
      'http_request_duration_seconds',
      'Time from a request to the end of its answer',
      DURATION_BUCKETS,
      ['method', 'route', 'status_class'],
    );
    this.#bytes = instruments.counter('http_response_bytes_total', 'Bytes of the bodies of answers', [
      'method',
      'route',
    ]);
  }

  /** Counts a request that has begun. */
  begun(): void {
    this.#inFlight.inc();
  }

  /** Counts a request that has ended. */
  ended({ method, route, status, durationMs, bytes }: CompletedRequest): void {
    this.#inFlight.dec();
    const series = this.#seriesOf(METHODS.has(method) ? method : UNKNOWN, route ?? UNKNOWN, status);
    series.count();
    series.time(durationMs / 1_000);
    if (bytes > 0) series.size(bytes);
  }

  #seriesOf(method: string, route: string, status: number): Series {
    const key = `${method} ${status} ${route}`;
    const known = this.#series.get(key);
    if (known) return known;
    const labels = { method, route };
    const duration = this.#durations.labels({ ...labels, status_class: `${Math.floor(status / 100)}xx` });
    const requests = this.#requests.labels({ ...labels, status: String(status) });
    const sizes = this.#bytes.labels(labels);
    const series = {
      count: () => requests.inc(),
      time: (seconds: number) => duration.observe(seconds),
      size: (bytes: number) => sizes.inc(bytes),
    };
    this.#series.set(key, series);
    return series;
  }
}

/**
 * Returns an `onRequest` hook that records the metrics of every request. Add it before other hooks, so that it also
 * sees rejected requests.
 */
export const metricsHook =
  (metrics: RequestMetrics): Hook =>
  (request, reply, done) => {
    metrics.begun();
    const beganAt = performance.now();
    onceOver(reply, (status) =>
      metrics.ended({
        method: request.method,
        route: routeOf(request),
        status,
        durationMs: performance.now() - beganAt,
        bytes: bytesOf(reply),
      }),
    );
    done();
  };

/**
 * Returns the length of the body, or 0 when it is not known. It reads Fastify's copy of the header, because Node's
 * headers of a complete answer cannot be read any more.
 */
function bytesOf(reply: HookedReply): number {
  const length = Number(reply.getHeader('content-length'));
  return Number.isFinite(length) ? length : 0;
}
