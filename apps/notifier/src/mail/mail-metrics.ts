import { type FailedReason } from '@ats/domain';
import { type Instruments } from '@ats/telemetry';
import { type Metrics, REQUEUE_CAUSES, type RequeueCause } from '../counters/metrics.js';
import { type MailError } from './smtp/mail-outcome.js';

export interface RecordedMail {
  readonly outcome: 'success' | MailError;
  readonly durationMs: number;
  /**
   * The result of the attempt. `superseded` means that another attempt has claimed the e-mail meanwhile, or that it was
   * cancelled.
   */
  readonly settled: 'sent' | 'due' | FailedReason | 'superseded';
}

const DURATION_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 150];

/** The counters and histograms of the e-mails of this process since its start. */
export class MailMetrics {
  private readonly attempts;
  private readonly settled;
  private readonly requeuedMails;
  private readonly direct;
  private readonly inFlight;
  private readonly duration;

  constructor(
    private readonly metrics: Metrics,
    instruments: Instruments = metrics.instruments,
  ) {
    this.attempts = instruments.counter(
      'mail_attempts_total',
      'Finished attempts to send an e-mail by outcome: success or the error code',
      ['outcome'],
    );
    this.settled = instruments.counter(
      'mails_settled_total',
      'Status of e-mails after an attempt: sent, due for another attempt, or the reason of the failure',
      ['status'],
    );
    this.requeuedMails = instruments.counter(
      'mails_requeued_total',
      'E-mails requeued because their lease expired or their job was lost',
      ['cause'],
    );
    this.direct = instruments.counter('mails_direct_total', 'E-mails sent without Bull');
    this.inFlight = instruments.gauge('mails_in_flight', 'E-mails that this process is working on');
    this.duration = instruments.histogram(
      'mail_attempt_duration_seconds',
      'Duration of attempts to send an e-mail',
      DURATION_BUCKETS,
    );
    for (const cause of REQUEUE_CAUSES) this.requeuedMails.inc({ cause }, 0);
  }

  /** Counts an e-mail as in flight while `work` runs. */
  async follow<T>(work: Promise<T>): Promise<T> {
    this.inFlight.inc();
    try {
      return await work;
    } finally {
      this.inFlight.dec();
    }
  }

  /** Counts an e-mail as sent without Bull, and as in flight while `work` runs. */
  followDirect<T>(work: Promise<T>): Promise<T> {
    this.direct.inc();
    return this.follow(work);
  }

  claimRefused(): void {
    this.metrics.claimRefused();
  }

  attemptFinished({ outcome, durationMs, settled }: RecordedMail): void {
    this.attempts.inc({ outcome });
    this.settled.inc({ status: settled });
    this.duration.observe(durationMs / 1_000);
  }

  expired(count: number): void {
    this.settled.inc({ status: 'expired' }, count);
  }

  requeued(counts: Readonly<Record<RequeueCause, number>>): void {
    for (const cause of REQUEUE_CAUSES) this.requeuedMails.inc({ cause }, counts[cause]);
  }
}
