import { Instruments, Registry, RequestMetrics } from '@ats/telemetry';

/** The origin of the count of a page, see `CountCache`. `given_up` and `paused` mean that the page has no count. */
export const COUNT_OUTCOMES = ['exact', 'stale', 'counted', 'given_up', 'paused'] as const;
export type CountOutcome = (typeof COUNT_OUTCOMES)[number];

/** The limit that a request with the answer 429 exceeded. */
export const LIMIT_REASONS = [
  'rate',
  'concurrency',
  'connections',
  'database_time',
  'bytes',
  'authentication',
  'address',
] as const;
export type LimitReason = (typeof LIMIT_REASONS)[number];

const AUDIT_RESULTS = ['written', 'dropped'] as const;
export type AuditResult = (typeof AUDIT_RESULTS)[number];

/** The counters of this process. Callers report what happened. Only this class chooses the names of metrics. */
export class Metrics {
  readonly registry = new Registry();
  readonly instruments = new Instruments(this.registry, 'api_');
  readonly requests = new RequestMetrics(this.instruments);

  readonly #counts = this.instruments.counter('counts_total', 'Counts of collections for pages, by outcome', [
    'outcome',
  ]);
  readonly #limited = this.instruments.counter(
    'requests_limited_total',
    'Requests refused with 429, by the limit that they exceeded',
    ['reason'],
  );
  readonly #unlimited = this.instruments.counter(
    'requests_unlimited_total',
    'Requests that passed without limits because Redis was unavailable',
  );
  readonly #unauthenticated = this.instruments.counter(
    'authentication_failures_total',
    'Requests without a valid credential',
  );
  readonly #replayed = this.instruments.counter(
    'idempotency_replays_total',
    'Requests that got the stored answer of their Idempotency-Key',
  );

  readonly #audit = this.instruments.counter(
    'audit_entries_total',
    'Audit entries about reads and refusals, by what became of them',
    ['result'],
  );

  constructor() {
    // Series start at 0, because Prometheus cannot see an increase in a series that starts with 1.
    for (const outcome of COUNT_OUTCOMES) this.#counts.inc({ outcome }, 0);
    for (const reason of LIMIT_REASONS) this.#limited.inc({ reason }, 0);
    for (const result of AUDIT_RESULTS) this.#audit.inc({ result }, 0);
  }

  /** Counts a page by the source of its count. An arrow function, because callers pass it on without its object. */
  readonly counted = (outcome: CountOutcome): void => this.#counts.inc({ outcome });

  /** Publishes the number of cached counts. */
  watchCountCache(size: () => number): void {
    this.instruments.observedGauge({
      name: 'count_cache_entries',
      help: 'Counts in the cache',
      read: () => [{ value: size() }],
    });
  }

  /** Counts audit entries by their result. An arrow function, because callers pass it on without its object. */
  readonly auditEntries = (result: AuditResult, entries: number): void => this.#audit.inc({ result }, entries);

  /** Publishes the state of the audit entries that wait to be written. */
  watchAuditBuffer(buffer: { readonly size: number; readonly ageSeconds: number }): void {
    this.instruments.observedGauge({
      name: 'audit_buffer_entries',
      help: 'Audit entries that wait to be written',
      read: () => [{ value: buffer.size }],
    });
    this.instruments.observedGauge({
      name: 'audit_buffer_age_seconds',
      help: 'Age of the oldest audit entry that waits to be written; 0 when there is none',
      read: () => [{ value: buffer.ageSeconds }],
    });
  }

  requestLimited(reason: LimitReason): void {
    this.#limited.inc({ reason });
  }

  /** Counts a request that was admitted without limits, because Redis was unavailable, slow or out of memory. */
  limitsUnavailable(): void {
    this.#unlimited.inc();
  }

  authenticationFailed(): void {
    this.#unauthenticated.inc();
  }

  answerReplayed(): void {
    this.#replayed.inc();
  }
}
