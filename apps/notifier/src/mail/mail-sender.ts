import { type Database } from '@ats/postgres';
import { failSpan, runInSpan, type Span, startSpan } from '@ats/telemetry';
import { type Logger, rarely } from '@ats/logging';
import { keepTrying } from '../loops/keep-trying.js';
import { type ActivationMail, type ActivationMails, claimActivationMail, isActivationMail } from './activation-mail.js';
import { claimMail, type ClaimedMail, type ClaimedRow } from './store/claimed-mail.js';
import { finishMail, prolongLease } from './store/finish-mail.js';
import { type MailJob } from './store/mail-job.js';
import { type MailMeasures } from './mail-metrics.js';
import { MAIL_ERRORS, type MailError, type MailOutcome, OPERATOR_ERRORS } from './smtp/mail-outcome.js';
import { type NextStep, nextStep, type RetryOptions } from './next-step.js';
import { type SmtpClient } from './smtp/smtp-client.js';

export interface MailSenderOptions extends RetryOptions {
  readonly database: Database;
  readonly client: Pick<SmtpClient, 'send'>;
  readonly activationMails: ActivationMails;
  /** Number under which this process shows that it lives. */
  readonly worker: number;
  readonly measures: MailMeasures;
  readonly logger: Logger;
  /** Told what became of an attempt: a place is free. */
  readonly onFinished: (error: MailError | null) => void;
}

/** Makes one attempt to send an e-mail: claims the row, sends, stores what came of it and what is next. */
export class MailSender {
  private readonly reportOperatorError: (error: MailError, reply: string | null) => void;
  private readonly reportUnstored: (mail: ClaimedRow, fault: unknown) => void;
  private isClosed = false;

  constructor(private readonly options: MailSenderOptions) {
    this.reportOperatorError = rarely((error, reply) =>
      options.logger.error(
        { error, reply: reply ?? undefined, reason: MAIL_ERRORS[error] },
        'e-mails wait until SMTP_URL, MAIL_FROM or SECRET_KEY, or the server, is mended',
      ),
    );
    this.reportUnstored = rarely((mail, fault) =>
      options.logger.warn({ mail_id: mail.id, err: fault }, 'a result could not be stored yet'),
    );
  }

  async send(job: MailJob): Promise<void> {
    const { database, worker, measures, onFinished } = this.options;
    const mail = (await claimMail(database, job, worker)) ?? (await claimActivationMail(database, job, worker));
    if (!mail) return measures.claimRefused();
    // One that took its process along each time it was tried ends here.
    const span = mailSpan(mail);
    const outcome = mail.attempts > this.attemptsAtMost() ? USED_UP : await runInSpan(span, () => this.handOver(mail));
    if (outcome.error !== null) failSpan(span, outcome.error);
    span.end();
    await runInSpan(span, () => this.finish(mail, outcome));
    onFinished(outcome.error);
  }

  /** What cannot be stored from now on is left to the lease. */
  close(): void {
    this.isClosed = true;
  }

  private async handOver(mail: ClaimedMail | ActivationMail): Promise<MailOutcome> {
    const { client, activationMails } = this.options;
    const written = isActivationMail(mail) ? activationMails.write(mail) : mail;
    return written ? client.send(written) : UNREADABLE;
  }

  private async finish(mail: ClaimedMail | ActivationMail, { error, reply, durationMs }: MailOutcome): Promise<void> {
    const { measures, logger } = this.options;
    const step = nextStep(mail.attempts, { error }, this.options);
    const lastError = error === null ? null : [error, reply].filter((part) => part !== null).join(' ');
    const isOurs = await this.store(mail, step, lastError);
    const settled = !isOurs ? 'superseded' : step.status === 'failed' ? step.reason : step.status;
    measures.attemptFinished({ outcome: error ?? 'success', durationMs, settled });
    if (error !== null && OPERATOR_ERRORS.includes(error)) this.reportOperatorError(error, reply);
    const about = isActivationMail(mail)
      ? { activation_id: mail.activation_id, candidate_id: mail.candidate_id }
      : { communication_id: mail.communication_id };
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
    // Of a message its communication says so.
    if (isOurs && step.status === 'failed' && isActivationMail(mail))
      logger.warn({ mail_id: mail.id, ...about, reason: step.reason }, 'a link to activate an account was given up');
  }

  /** For as long as this process lives: somebody may hold the rows for longer than any lease, and what is lost here is sent again. */
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

/** A part of the trace of the request that wrote it. The address is nobody's business. */
const mailSpan = ({ traceparent, attempts }: ClaimedRow): Span =>
  startSpan('send e-mail', { kind: 'CLIENT', parent: traceparent, attributes: { 'ats.delivery.attempt': attempts } });

const USED_UP: MailOutcome = { error: 'interrupted', reply: null, durationMs: 0 };
const UNREADABLE: MailOutcome = { error: 'secret', reply: null, durationMs: 0 };
