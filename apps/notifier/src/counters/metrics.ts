import { type Reconciliation } from '@ats/domain';
import { addProcessMetrics, Instruments, Registry, RequestMetrics } from '@ats/telemetry';
import { type Lane, LANES } from '../queues/queues.js';

/** The part of an attempt that metrics need. */
export interface RecordedAttempt {
  /** Time of the event by the clock of the database. */
  readonly occurred_dt: Date;
  /** Start of the attempt by the clock of the database. */
  readonly claimed_dt: Date;
  /** Number of this attempt. The first attempt is 1. */
  readonly attempts: number;
  /** Cause of the attempt. The histograms of the time since the event count only attempts with the cause `auto`. */
  readonly reason: string;
}

export interface RecordedResult {
  /** Error code; null for a success. */
  readonly error: string | null;
  readonly statusCode: number | null;
  readonly durationMs: number;
  /** The new status of the delivery. Null when another attempt has claimed the delivery meanwhile. */
  readonly status: string | null;
  /** True for a message of a batch that is not counted, because another message of the batch counts for the attempt. */
  readonly isCompanion?: boolean;
}

/** The reason why a row was requeued: its lease expired, or its job was lost. */
export type RequeueCause = 'lease' | 'job';
export const REQUEUE_CAUSES: readonly RequeueCause[] = ['lease', 'job'];

const HOUR = 3_600;
const ATTEMPT_BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15];
const FIRST_ATTEMPT_BUCKETS = [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, HOUR];
/** Bounds of the buckets in seconds. The largest bound is one day longer than the default retry schedule. */
const DELIVERED_BUCKETS = [
  ...[0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900],
  ...[1, 6, 24, 72, 96].map((hours) => hours * HOUR),
];

/** The counters and histograms of this process since its start. */
export class Metrics {
  readonly registry = new Registry();
  readonly instruments = new Instruments(this.registry, 'ats_notifier_');
  /** Counts the requests to `/health` and `/metrics`. */
  readonly requests = new RequestMetrics(this.instruments);

  private readonly matchedEvents = this.instruments.counter(
    'events_matched_total',
    'Matched events, including events without a delivery',
  );
  private readonly createdDeliveries = this.instruments.counter(
    'deliveries_created_total',
    'Deliveries that matching created',
  );
  private readonly attempts = this.instruments.counter(
    'attempts_total',
    'Finished attempts by cause, outcome (success or the error code) and class of the HTTP status',
    ['reason', 'outcome', 'status_class'],
  );
  private readonly settled = this.instruments.counter(
    'deliveries_settled_total',
    'Status of deliveries after an attempt',
    ['status'],
  );
  private readonly refusedClaims = this.instruments.counter(
    'claims_refused_total',
    'Jobs whose delivery or e-mail was already claimed, finished or requeued',
  );
  private readonly requeuedDeliveries = this.instruments.counter(
    'deliveries_requeued_total',
    'Deliveries requeued because their lease expired or their job was lost',
    ['cause'],
  );
  private readonly followers = this.instruments.counter(
    'followers_total',
    'Due deliveries that were claimed as followers of a chain, without a job of their own, or released unsent',
    ['action'],
  );
  private readonly direct = this.instruments.counter('deliveries_direct_total', 'Deliveries sent without Bull');
  private readonly failedSteps = this.instruments.counter(
    'step_failures_total',
    'Failed rounds of loops; each round is repeated',
    ['loop'],
  );
  private readonly reconciled = this.instruments.counter(
    'reconciliation_checked_total',
    'Events whose deliveries were compared with the expected ones',
  );
  private readonly missing = this.instruments.counter(
    'reconciliation_missing_total',
    'Pairs of event and subscription without their delivery',
  );
  private readonly unexpected = this.instruments.counter(
    'reconciliation_unexpected_total',
    'Deliveries that match no subscription',
  );
  private readonly undecided = this.instruments.counter(
    'reconciliation_undecided_total',
    'Pairs whose expected deliveries can no longer be computed',
  );
  private readonly attemptDuration = this.instruments.histogram(
    'attempt_duration_seconds',
    'Duration of attempts',
    ATTEMPT_BUCKETS,
  );
  private readonly toFirstAttempt = this.instruments.histogram(
    'event_to_first_attempt_seconds',
    'Time from an event to the first attempt of its delivery',
    FIRST_ATTEMPT_BUCKETS,
  );
  private readonly toDelivered = this.instruments.histogram(
    'event_to_delivered_seconds',
    'Time from an event to its delivery',
    DELIVERED_BUCKETS,
  );
  private readonly inFlight = this.instruments.gauge(
    'deliveries_in_flight',
    'Deliveries that this process is working on, by lane',
    ['lane'],
  );

  constructor() {
    addProcessMetrics(this.registry);
    // Every series starts with 0, because Prometheus can compute a rate only from the second value on.
    for (const lane of LANES) this.inFlight.set({ lane }, 0);
    for (const cause of REQUEUE_CAUSES) this.requeuedDeliveries.inc({ cause }, 0);
    this.followersClaimed(0);
    this.followersReleased(0);
  }

  matched(batch: { readonly events: number; readonly deliveries: number }): void {
    this.matchedEvents.inc(batch.events);
    this.createdDeliveries.inc(batch.deliveries);
  }

  /** Counts a delivery as in flight while `work` runs. */
  async follow<T>(lane: Lane, work: Promise<T>): Promise<T> {
    this.inFlight.inc({ lane });
    try {
      return await work;
    } finally {
      this.inFlight.dec({ lane });
    }
  }

  /** Counts a delivery as sent without Bull, and as in flight while `work` runs. */
  followDirect<T>(lane: Lane, work: Promise<T>): Promise<T> {
    this.direct.inc();
    return this.follow(lane, work);
  }

  claimRefused(): void {
    this.refusedClaims.inc();
  }

  followersClaimed(count: number): void {
    this.followers.inc({ action: 'claimed' }, count);
  }

  followersReleased(count: number): void {
    this.followers.inc({ action: 'released' }, count);
  }

  attemptStarted(attempt: RecordedAttempt): void {
    if (attempt.attempts === 1 && attempt.reason === 'auto') this.toFirstAttempt.observe(secondsSinceEvent(attempt));
  }

  attemptFinished(
    attempt: RecordedAttempt,
    { error, statusCode, durationMs, status, isCompanion = false }: RecordedResult,
  ): void {
    if (!isCompanion)
      this.attempts.inc({ reason: attempt.reason, outcome: error ?? 'success', status_class: statusClass(statusCode) });
    if (!isCompanion) this.attemptDuration.observe(durationMs / 1_000);
    this.settled.inc({ status: status ?? 'superseded' });
    if (status === 'delivered' && attempt.reason === 'auto')
      this.toDelivered.observe(secondsSinceEvent(attempt) + durationMs / 1_000);
  }

  requeued(counts: Readonly<Record<RequeueCause, number>>): void {
    for (const cause of REQUEUE_CAUSES) this.requeuedDeliveries.inc({ cause }, counts[cause]);
  }

  stepFailed(loop: string): void {
    this.failedSteps.inc({ loop });
  }

  reconciliationDone(result: Pick<Reconciliation, 'checked' | 'missing' | 'unexpected' | 'undecided'>): void {
    this.reconciled.inc(result.checked);
    this.missing.inc(result.missing);
    this.unexpected.inc(result.unexpected);
    this.undecided.inc(result.undecided);
  }
}

const secondsSinceEvent = ({ occurred_dt, claimed_dt }: RecordedAttempt): number =>
  Math.max(0, claimed_dt.getTime() - occurred_dt.getTime()) / 1_000;

const statusClass = (statusCode: number | null): string =>
  statusCode === null ? 'none' : `${Math.floor(statusCode / 100)}xx`;
