import { type Reconciliation } from '@ats/domain';
import { addProcessMetrics, Instruments, Registry, RequestMeasures } from '@ats/telemetry';
import { type Lane } from '../delivery/store/due-deliveries.js';
import { LANES } from '../queues/queues.js';

/** What an attempt is measured by. */
export interface MeasuredAttempt {
  /** When the event happened, and when this attempt was begun; both by the clock of the database. */
  readonly occurred_dt: Date;
  readonly claimed_dt: Date;
  /** Number of this attempt, from 1. */
  readonly attempts: number;
  /** Why it is made; only `auto` counts for the times from the event on. */
  readonly reason: string;
}

export interface MeasuredResult {
  /** Code of the error; null for a success. */
  readonly error: string | null;
  readonly statusCode: number | null;
  readonly durationMs: number;
  /** What came of the delivery; null when another attempt owns it by now. */
  readonly status: string | null;
}

/** Why a delivery that was on its way was made due again. */
export type ReclaimCause = 'lease' | 'job';
export const RECLAIM_CAUSES: readonly ReclaimCause[] = ['lease', 'job'];

const HOUR = 3_600;
const ATTEMPT_BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15];
const FIRST_ATTEMPT_BUCKETS = [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, HOUR];
/** Up to the end of the schedule of retries, and a day beyond. */
const DELIVERED_BUCKETS = [
  0.05,
  0.1,
  0.25,
  0.5,
  1,
  2.5,
  5,
  10,
  30,
  60,
  300,
  900,
  HOUR,
  6 * HOUR,
  24 * HOUR,
  72 * HOUR,
  96 * HOUR,
];

/** What this process does, counted from its start. Told by name; how it is counted is known here alone. */
export class Measures {
  readonly registry = new Registry();
  readonly instruments = new Instruments(this.registry, 'ats_notifier_');
  /** Requests for health and metrics. */
  readonly requests = new RequestMeasures(this.instruments);

  private readonly matchedEvents = this.instruments.counter(
    'events_matched_total',
    'Events that were judged, those without any delivery included',
  );
  private readonly createdDeliveries = this.instruments.counter(
    'deliveries_created_total',
    'Deliveries made by matching',
  );
  private readonly attempts = this.instruments.counter(
    'attempts_total',
    'Attempts that have ended, by why they were made, their outcome (success, or the code of the error) and the class of the status',
    ['reason', 'outcome', 'status_class'],
  );
  private readonly settled = this.instruments.counter(
    'deliveries_settled_total',
    'What attempts left their deliveries in',
    ['status'],
  );
  private readonly refusedClaims = this.instruments.counter(
    'claims_refused_total',
    'Jobs whose delivery or e-mail was taken, finished or gone on already',
  );
  private readonly reclaimed = this.instruments.counter(
    'deliveries_reclaimed_total',
    'Deliveries made due again because their lease ran out or their job was lost',
    ['cause'],
  );
  private readonly direct = this.instruments.counter('deliveries_direct_total', 'Deliveries sent without Bull');
  private readonly failedSteps = this.instruments.counter(
    'step_failures_total',
    'Failed rounds of the loops that match, feed, sweep and so on',
    ['loop'],
  );
  private readonly reconciled = this.instruments.counter(
    'reconciliation_checked_total',
    'Events whose deliveries were compared with what they should be',
  );
  private readonly missing = this.instruments.counter(
    'reconciliation_missing_total',
    'Pairs of event and subscription found without their delivery',
  );
  private readonly unexpected = this.instruments.counter(
    'reconciliation_unexpected_total',
    'Deliveries found that nothing asks for',
  );
  private readonly undecided = this.instruments.counter(
    'reconciliation_undecided_total',
    'Pairs of which it can be said no more what they should be',
  );
  private readonly attemptDuration = this.instruments.histogram(
    'attempt_duration_seconds',
    'How long attempts take',
    ATTEMPT_BUCKETS,
  );
  private readonly toFirstAttempt = this.instruments.histogram(
    'event_to_first_attempt_seconds',
    'From an event to the first attempt to tell of it',
    FIRST_ATTEMPT_BUCKETS,
  );
  private readonly toDelivered = this.instruments.histogram(
    'event_to_delivered_seconds',
    'From an event to its delivery',
    DELIVERED_BUCKETS,
  );
  private readonly inFlight = this.instruments.gauge(
    'deliveries_in_flight',
    'Deliveries that this process is working on',
    ['lane'],
  );

  constructor() {
    addProcessMetrics(this.registry);
    // A series that begins with its first increase hides it: rates are computed from the second value on.
    for (const lane of LANES) this.inFlight.set({ lane }, 0);
    for (const cause of RECLAIM_CAUSES) this.reclaimed.inc({ cause }, 0);
  }

  matched(batch: { readonly events: number; readonly deliveries: number }): void {
    this.matchedEvents.inc(batch.events);
    this.createdDeliveries.inc(batch.deliveries);
  }

  /** Counts work on a delivery as in flight until it ends. */
  async follow<T>(lane: Lane, work: Promise<T>): Promise<T> {
    this.inFlight.inc({ lane });
    try {
      return await work;
    } finally {
      this.inFlight.dec({ lane });
    }
  }

  /** The same of what is sent without Bull. */
  followDirect<T>(lane: Lane, work: Promise<T>): Promise<T> {
    this.direct.inc();
    return this.follow(lane, work);
  }

  claimRefused(): void {
    this.refusedClaims.inc();
  }

  attemptBegun(attempt: MeasuredAttempt): void {
    if (attempt.attempts === 1 && attempt.reason === 'auto') this.toFirstAttempt.observe(secondsSinceEvent(attempt));
  }

  attemptFinished(attempt: MeasuredAttempt, { error, statusCode, durationMs, status }: MeasuredResult): void {
    this.attempts.inc({ reason: attempt.reason, outcome: error ?? 'success', status_class: statusClass(statusCode) });
    this.attemptDuration.observe(durationMs / 1_000);
    this.settled.inc({ status: status ?? 'superseded' });
    if (status === 'delivered' && attempt.reason === 'auto')
      this.toDelivered.observe(secondsSinceEvent(attempt) + durationMs / 1_000);
  }

  madeDueAgain(counts: Readonly<Record<ReclaimCause, number>>): void {
    for (const cause of RECLAIM_CAUSES) this.reclaimed.inc({ cause }, counts[cause]);
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

const secondsSinceEvent = ({ occurred_dt, claimed_dt }: MeasuredAttempt): number =>
  Math.max(0, claimed_dt.getTime() - occurred_dt.getTime()) / 1_000;

const statusClass = (statusCode: number | null): string =>
  statusCode === null ? 'none' : `${Math.floor(statusCode / 100)}xx`;
