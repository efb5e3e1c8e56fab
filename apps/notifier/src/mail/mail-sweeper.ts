import { markCommunicationFailed } from '@ats/domain';
import { type Database, runStatement } from '@ats/postgres';
import { type Carrier } from '../queues/job-dispatcher.js';
import { type Logger } from '@ats/logging';
import { type Amount } from '../loops/poll-loop.js';
import { deadWorkerCondition } from '../loops/worker-heartbeat.js';
import { expiredCondition } from './store/due-mails.js';
import { MAIL_LEASE_SECONDS, type MailJob } from './store/mail-job.js';
import { type MailMeasures } from './mail-metrics.js';

export interface MailSweeperOptions {
  readonly database: Database;
  readonly carrier: Carrier<MailJob>;
  readonly measures: MailMeasures;
  readonly logger: Logger;
  /** Told when something is due again. */
  readonly onDue: () => void;
}

interface WaitingMail extends MailJob {
  readonly queuedMs: number;
}

const BATCH_SIZE = 500;
/** Before that a job has hardly had time to be stored. Four times as long each time it was taken for lost. */
const QUEUED_BEFORE_CHECK_MS = 1_000;
/** After that a job is given up even when Bull still knows it: more than those before it in the queue can take. */
const QUEUED_AT_MOST_MS = 600_000;

/** Finds what was left behind by a process that died or a Redis that lost its data, and makes it due again. */
export class MailSweeper {
  constructor(private readonly options: MailSweeperOptions) {}

  async sweep(): Promise<Amount> {
    const { measures, logger, onDue } = this.options;
    const lease = await this.reclaimExpired();
    const job = await this.requeueLost();
    measures.madeDueAgain({ lease, job });
    if (lease + job > 0) {
      logger.warn({ expired: lease, lost: job }, 'made e-mails due again that had been left behind');
      onDue();
    }
    return (await this.giveUpOld()) === BATCH_SIZE ? 'more' : 'none';
  }

  /** The attempt counts: whether the server has the e-mail is unknown. */
  private async reclaimExpired(): Promise<number> {
    const rows = await this.options.database.query(RECLAIM, [BATCH_SIZE]);
    return rows.length;
  }

  private async requeueLost(): Promise<number> {
    const { database, carrier } = this.options;
    const waiting = await database.query<WaitingMail>(WAITING, [QUEUED_BEFORE_CHECK_MS, QUEUED_AT_MOST_MS, BATCH_SIZE]);
    const verdicts = await Promise.all(
      waiting.map(async (mail) => mail.queuedMs > QUEUED_AT_MOST_MS || (await carrier.isLost(mail, mail.queuedMs))),
    );
    const lost = waiting.filter((_, index) => verdicts[index]);
    if (lost.length === 0) return 0;
    const rows = await database.query(REQUEUE, [
      lost.map(({ mailId }) => mailId),
      lost.map(({ attempts }) => attempts),
      lost.map(({ requeues }) => requeues),
    ]);
    return rows.length;
  }

  /** What was written while nothing could be sent, and has become old. */
  private async giveUpOld(): Promise<number> {
    const { database, measures, logger } = this.options;
    const expired = await database.transaction(async (transaction) => {
      const rows = await runStatement<{ communication_id: number }>(transaction, EXPIRE, [BATCH_SIZE]);
      for (const { communication_id: id } of rows) await markCommunicationFailed(transaction, id, 'expired');
      return rows.length;
    });
    const links = await database.query<{ activation_id: number }>(EXPIRE_LINKS, [BATCH_SIZE]);
    for (const { activation_id: activationId } of links)
      logger.warn({ activation_id: activationId, reason: 'expired' }, 'a link to activate an account was given up');
    measures.expired(expired + links.length);
    if (expired > 0) logger.warn({ expired }, 'e-mails that could not be sent in time were given up');
    return Math.max(expired, links.length);
  }
}

const EXPIRED_LEASE = `m.status = 'sending' AND (m.lease_until_dt < clock_timestamp()
  OR ${deadWorkerCondition({ until: 'm.lease_until_dt', worker: 'm.worker::bigint', seconds: MAIL_LEASE_SECONDS })})`;

const RECLAIM = `
UPDATE outgoing_mails m SET status = 'due', next_attempt_dt = clock_timestamp(), last_error = 'interrupted', lease_until_dt = NULL, worker = NULL
WHERE m.id IN (SELECT m.id FROM outgoing_mails m WHERE ${EXPIRED_LEASE} LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED)
RETURNING m.id`;

const WAITING = `
SELECT m.id AS "mailId", m.attempts, m.requeues, (extract(epoch FROM clock_timestamp() - m.queued_dt) * 1000)::double precision AS "queuedMs"
FROM outgoing_mails m
WHERE m.status = 'queued' AND m.queued_dt < clock_timestamp() - LEAST($1 * power(4, LEAST(m.requeues, 10)), $2) * interval '1 millisecond'
ORDER BY m.queued_dt LIMIT $3`;

/** Due since when it was due before: it keeps its place among the others. */
const REQUEUE = `
UPDATE outgoing_mails m SET status = 'due', queued_dt = NULL, requeues = m.requeues + 1
FROM unnest($1::bigint[], $2::integer[], $3::integer[]) AS lost (id, attempts, requeues)
WHERE m.id = lost.id AND m.attempts = lost.attempts AND m.requeues = lost.requeues AND m.status = 'queued'
RETURNING m.id`;

/** With their communications: one that somebody holds is left for later, and the others do not wait for it. */
const EXPIRE = `
UPDATE outgoing_mails m SET status = 'failed', finished_dt = clock_timestamp()
WHERE m.id IN (
  SELECT m.id FROM outgoing_mails m JOIN communications c ON c.id = m.communication_id
  WHERE ${expiredCondition('m')} LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED)
RETURNING m.communication_id`;

/** Nothing but the row says what became of it. */
const EXPIRE_LINKS = `
UPDATE outgoing_mails m SET status = 'failed', finished_dt = clock_timestamp(), last_error = 'expired', sealed_token = NULL
WHERE m.id IN (SELECT m.id FROM outgoing_mails m WHERE m.activation_id IS NOT NULL AND ${expiredCondition('m')} LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED)
RETURNING m.activation_id`;
