import { Instruments, Registry, RequestMetrics } from '@ats/telemetry';

/** How a count beside a page was come by; see `CountCache`. */
export const COUNT_OUTCOMES = ['exact', 'stale', 'counted', 'given_up', 'paused'] as const;
export type CountOutcome = (typeof COUNT_OUTCOMES)[number];

/** Why a request was refused with 429. */
export const LIMIT_REASONS = ['rate', 'concurrency', 'authentication'] as const;
export type LimitReason = (typeof LIMIT_REASONS)[number];

/** What this process does, counted from its start. Told by name; how it is counted is known here alone. */
export class Metrics {
  readonly registry = new Registry();
  readonly instruments = new Instruments(this.registry, 'api_');
  readonly requests = new RequestMetrics(this.instruments);

  readonly #counts = this.instruments.counter('counts_total', 'Counts beside pages, by how they were come by', [
    'outcome',
  ]);
  readonly #limited = this.instruments.counter(
    'requests_limited_total',
    'Requests refused with 429, by what they exceeded',
    ['reason'],
  );
  readonly #unlimited = this.instruments.counter(
    'requests_unlimited_total',
    'Requests that passed unlimited because Redis was not to be had',
  );
  readonly #unauthenticated = this.instruments.counter(
    'authentication_failures_total',
    'Requests without a valid credential',
  );
  readonly #replayed = this.instruments.counter(
    'idempotency_replays_total',
    'Requests that were answered with the first answer to their Idempotency-Key',
  );

  constructor() {
    // A series that begins with its first increase hides it: rates are computed from the second value on.
    for (const outcome of COUNT_OUTCOMES) this.#counts.inc({ outcome }, 0);
    for (const reason of LIMIT_REASONS) this.#limited.inc({ reason }, 0);
  }

  /** Arrow functions: handed on alone. */
  readonly counted = (outcome: CountOutcome): void => this.#counts.inc({ outcome });

  /** Publishes how many counts are remembered. */
  watchCountCache(size: () => number): void {
    this.instruments.observedGauge({
      name: 'count_cache_entries',
      help: 'Counts that are remembered',
      read: () => [{ value: size() }],
    });
  }

  requestLimited(reason: LimitReason): void {
    this.#limited.inc({ reason });
  }

  /** Redis is away, slow or full: limits let everybody pass. */
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
