import { type Database } from '@ats/postgres';
import { type Logger, rarely } from '@ats/logging';
import { failSpan, runInSpan, type Span, startSpan } from '@ats/telemetry';
import { keepTrying } from '../loops/keep-trying.js';
import { type ActivationMails } from './activation-mail.js';
import { alertMessage } from './alert-message.js';
import { type MailMetrics } from './mail-metrics.js';
import { nextStep, type RetryOptions } from './next-step.js';
import { MAIL_ERRORS, type MailError, type MailOutcome, OPERATOR_ERRORS } from './smtp/mail-outcome.js';
import { type SmtpClient } from './smtp/smtp-client.js';
import {
  type ActivationMail,
  claimActivationMail,
  claimMail,
  type ClaimedMail,
  type ClaimedRow,
  isActivationMail,
} from './store/claimed-mail.js';
import { type AlertMail, claimAlertMail, isAlertMail } from './store/claimed-alert.js';
import { finishMail, type NextStep, prolongLease } from './store/finish-mail.js';
import { type MailJob } from './store/mail-job.js';

export interface MailSenderOptions extends RetryOptions {
  readonly database: Database;
  readonly client: Pick<SmtpClient, 'send'>;
  readonly activationMails: ActivationMails;
  /** `PUBLIC_BASE_URL` without a slash at its end. */
  readonly publicBaseUrl: string;
  /** The number of this worker, see `WorkerHeartbeat`. */
  readonly worker: number;
  readonly metrics: MailMetrics;
  readonly logger: Logger;
  /** Called after each attempt, when a concurrency slot is free. Its argument is the error of the attempt, or null. */
  readonly onFinished: (error: MailError | null) => void;
}

/** Makes one attempt to send an e-mail: claims the row, sends the e-mail, and stores the result and the next step. */
export class MailSender {
  private readonly reportOperatorError: (error: MailError, reply: string | null) => void;
  private readonly reportUnstored: (mail: ClaimedRow, fault: unknown) => void;
  private isClosed = false;

  constructor(private readonly options: MailSenderOptions) {
    this.reportOperatorError = rarely((error, reply) =>
      options.logger.error(
        { error, reply: reply ?? undefined, reason: MAIL_ERRORS[error] },
        'e-mails cannot be sent: correct SMTP_URL, MAIL_FROM, SECRET_KEY or the mail server',
      ),
    );
    this.reportUnstored = rarely((mail, fault) =>
      options.logger.warn(
        { mail_id: mail.id, err: fault },
        'the result of sending an e-mail could not be stored: the notifier tries again',
      ),
    );
  }

  async send(job: MailJob): Promise<void> {
    const { database, worker, metrics, onFinished } = this.options;
    const mail =
      (await claimMail(database, job, worker)) ??
      (await claimAlertMail(database, job, worker)) ??
      (await claimActivationMail(database, job, worker));
    if (!mail) return metrics.claimRefused();
    // An e-mail fails here, without another attempt, when the sending process died during each of its attempts.
    const span = mailSpan(mail);
    const outcome = mail.attempts > this.attemptsAtMost() ? USED_UP : await runInSpan(span, () => this.handOver(mail));
    if (outcome.error !== null) failSpan(span, outcome.error);
    span.end();
    await runInSpan(span, () => this.finish(mail, outcome));
    onFinished(outcome.error);
  }

  /**
   * Gives up storing results that could not be stored yet. The sweeper requeues the e-mails of these results after
   * their leases.
   */
  close(): void {
    this.isClosed = true;
  }

  private async handOver(mail: AnyMail): Promise<MailOutcome> {
    const written = this.write(mail);
    return written ? this.options.client.send(written) : UNREADABLE;
  }

  private write(mail: AnyMail): ClaimedMail | null {
    if (isActivationMail(mail)) return this.options.activationMails.write(mail);
    return isAlertMail(mail) ? { ...mail, ...alertMessage(mail, this.options.publicBaseUrl) } : mail;
  }

  private async finish(mail: AnyMail, { error, reply, durationMs }: MailOutcome): Promise<void> {
    const { metrics, logger } = this.options;
    const step = nextStep(mail.attempts, { error }, this.options);
    const lastError = error === null ? null : [error, reply].filter((part) => part !== null).join(' ');
    const isOurs = await this.store(mail, step, lastError);
    const settled = !isOurs ? 'superseded' : step.status === 'failed' ? step.reason : step.status;
    metrics.attemptFinished({ outcome: error ?? 'success', durationMs, settled });
    if (error !== null && OPERATOR_ERRORS.includes(error)) this.reportOperatorError(error, reply);
    const about = aboutOf(mail);
    logger[error === null ? 'info' : 'warn'](
      {
        mail_id: mail.id,
        request_id: mail.request_id ?? undefined,
        ...about,
        attempt: mail.attempts,
        status: settled,
        error: error ?? undefined,
        reply: reply ?? undefined,
        duration_ms: durationMs,
      },
      'attempt to send an e-mail finished',
    );
    // Only e-mails without a communication need this warning. Otherwise, the status of the communication shows the
    // failure.
    if (isOurs && step.status === 'failed' && mail.communication_id === null)
      logger.warn(
        { mail_id: mail.id, ...about, reason: step.reason },
        isActivationMail(mail)
          ? 'an activation e-mail failed permanently'
          : 'an e-mail to the owner of an endpoint failed permanently',
      );
  }

  /**
   * Tries to store the result until this process ends. Another transaction may lock the rows for longer than a lease,
   * and a lost result would send the e-mail twice.
   */
  private store(mail: ClaimedRow, step: NextStep, lastError: string | null): Promise<boolean> {
    const { database } = this.options;
    const finish = (): Promise<boolean> =>
      finishMail(database, mail, step, lastError).catch(async (fault: unknown) => {
        await prolongLease(database, mail);
        throw fault;
      });
    return keepTrying(
      finish,
      (fault) => this.reportUnstored(mail, fault),
      () => this.isClosed,
    );
  }

  private attemptsAtMost(): number {
    return this.options.schedule.length + 1;
  }
}

type AnyMail = ClaimedMail | ActivationMail | AlertMail;

/** Returns the properties of an e-mail for log lines. They never contain the address. */
function aboutOf(mail: AnyMail): object {
  if (isActivationMail(mail)) return { activation_id: mail.activation_id, candidate_id: mail.candidate_id };
  if (isAlertMail(mail)) return { subscription_id: mail.subscription_id, alert_type: mail.alert_type };
  return { communication_id: mail.communication_id };
}

/**
 * Starts the span of an attempt. It continues the trace of the request that wrote the e-mail. The span must not have
 * the e-mail address.
 */
const mailSpan = ({ traceparent, attempts }: ClaimedRow): Span =>
  startSpan('send e-mail', { kind: 'CLIENT', parent: traceparent, attributes: { 'ats.delivery.attempt': attempts } });

const USED_UP: MailOutcome = { error: 'interrupted', reply: null, durationMs: 0 };
const UNREADABLE: MailOutcome = { error: 'secret', reply: null, durationMs: 0 };
