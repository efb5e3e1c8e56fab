import { type FailedReason } from '@ats/domain';
import { type Instruments } from '@ats/telemetry';
import { type Measures, RECLAIM_CAUSES, type ReclaimCause } from '../counters/metrics.js';
import { type MailError } from './smtp/mail-outcome.js';

export interface MeasuredMail {
  readonly outcome: 'success' | MailError;
  readonly durationMs: number;
  /** `superseded`: another attempt has taken over, or it was cancelled. */
  readonly settled: 'sent' | 'due' | FailedReason | 'superseded';
}

const DURATION_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 150];

/** What this process does with e-mails, counted from its start. */
export class MailMeasures {
  private readonly attempts;
  private readonly settled;
  private readonly reclaimed;
  private readonly direct;
  private readonly inFlight;
  private readonly duration;

  constructor(
    private readonly measures: Measures,
    instruments: Instruments = measures.instruments,
  ) {
    this.attempts = instruments.counter(
      'mail_attempts_total',
      'Attempts to send an e-mail that have ended, by their outcome: success, or the code of the error',
      ['outcome'],
    );
    this.settled = instruments.counter(
      'mails_settled_total',
      'What became of e-mails: sent, due for another attempt, or why they were given up',
      ['status'],
    );
    this.reclaimed = instruments.counter(
      'mails_reclaimed_total',
      'E-mails made due again because their lease ran out or their job was lost',
      ['cause'],
    );
    this.direct = instruments.counter('mails_direct_total', 'E-mails sent without Bull');
    this.inFlight = instruments.gauge('mails_in_flight', 'E-mails that this process is working on');
    this.duration = instruments.histogram(
      'mail_attempt_duration_seconds',
      'How long attempts to send an e-mail take',
      DURATION_BUCKETS,
    );
    for (const cause of RECLAIM_CAUSES) this.reclaimed.inc({ cause }, 0);
  }

  /** Counts work on an e-mail as in flight until it ends. */
  async follow<T>(work: Promise<T>): Promise<T> {
    this.inFlight.inc();
    try {
      return await work;
    } finally {
      this.inFlight.dec();
    }
  }

  /** The same of what is sent without Bull. */
  followDirect<T>(work: Promise<T>): Promise<T> {
    this.direct.inc();
    return this.follow(work);
  }

  claimRefused(): void {
    this.measures.claimRefused();
  }

  attemptFinished({ outcome, durationMs, settled }: MeasuredMail): void {
    this.attempts.inc({ outcome });
    this.settled.inc({ status: settled });
    this.duration.observe(durationMs / 1_000);
  }

  expired(count: number): void {
    this.settled.inc({ status: 'expired' }, count);
  }

  madeDueAgain(counts: Readonly<Record<ReclaimCause, number>>): void {
    for (const cause of RECLAIM_CAUSES) this.reclaimed.inc({ cause }, counts[cause]);
  }
}
