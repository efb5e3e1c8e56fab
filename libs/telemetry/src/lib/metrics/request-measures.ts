import { type Counter, type Gauge, type Histogram } from 'prom-client';
import { type Instruments } from './instruments.js';

/** One request that has been answered, or given up by its client. */
export interface MeasuredRequest {
  readonly method: string;
  /** The pattern of its route, `/api/v1/candidates/:id`; undefined when there is none. */
  readonly route: string | undefined;
  readonly status: number;
  readonly durationMs: number;
  /** Length of the body; 0 where it is not known. */
  readonly bytes: number;
}

/** Up to what a client waits for; a page takes milliseconds, a large one a part of a second. */
const DURATION_BUCKETS = [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** What no route takes is measured under one name, so that nobody makes series by asking for what is not there. */
const UNKNOWN = 'unknown';
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** What is counted and timed under one method, route and status. */
interface Series {
  count(): void;
  time(seconds: number): void;
  size(bytes: number): void;
}

/** How many requests there are, how long they take and how large their answers are. Labels are bounded: nothing in them is a client's choice. */
export class RequestMeasures {
  readonly #inFlight: Gauge;
  readonly #requests: Counter<'method' | 'route' | 'status'>;
  readonly #durations: Histogram<'method' | 'route' | 'status_class'>;
  readonly #bytes: Counter<'method' | 'route'>;
  /** Looked up by one text instead of by three objects of labels: this runs for every request. */
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
      'From a request to the end of its answer',
      DURATION_BUCKETS,
      ['method', 'route', 'status_class'],
    );
    this.#bytes = instruments.counter('http_response_bytes_total', 'Bytes of the bodies of answers', [
      'method',
      'route',
    ]);
  }

  begun(): void {
    this.#inFlight.inc();
  }

  ended({ method, route, status, durationMs, bytes }: MeasuredRequest): void {
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
