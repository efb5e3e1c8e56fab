import { type Database } from '@ats/postgres';
import { type Logger } from '@ats/logging';
import { type Amount } from '../loops/poll-loop.js';
import { type JobDispatcher } from '../queues/job-dispatcher.js';
import { sweep, SWEEP_BATCH_SIZE } from '../queues/sweep.js';
import { type MailMetrics } from './mail-metrics.js';
import { type MailJob } from './store/mail-job.js';
import {
  expireActivationMails,
  expireAlertMails,
  expireMails,
  MAX_QUEUED_MS,
  sweptMails,
} from './store/requeue-mails.js';

export interface MailSweeperOptions {
  readonly database: Database;
  readonly dispatcher: Pick<JobDispatcher<MailJob>, 'isLost'>;
  readonly metrics: MailMetrics;
  readonly logger: Logger;
  /** Called when at least one e-mail has become due again. */
  readonly onDue: () => void;
}

/** Requeues orphaned e-mails. Fails e-mails that have waited too long for their first attempt. */
export class MailSweeper {
  constructor(private readonly options: MailSweeperOptions) {}

  async sweep(): Promise<Amount> {
    const { database, dispatcher, metrics, logger, onDue } = this.options;
    const requeued = await sweep(sweptMails(database), {
      isLost: (mail, queuedMs) => dispatcher.isLost(mail, queuedMs),
      maxQueuedMs: MAX_QUEUED_MS,
      logger,
      rowName: 'e-mails',
      onDue,
    });
    metrics.requeued(requeued);
    const counts = await failExpiredMails(database, logger);
    metrics.expired(counts.expired + counts.links + counts.alerts);
    return amountOf(counts);
  }
}

/** Fails e-mails that have waited too long. It runs when no mail server is configured. */
export const expireUnsentMails = async (database: Database, logger: Logger): Promise<Amount> =>
  amountOf(await failExpiredMails(database, logger));

interface Expired {
  /** Number of e-mails of communications that expired before their first attempt. */
  readonly expired: number;
  /** Number of activation e-mails that expired before their first attempt. */
  readonly links: number;
  /** Number of expired alerts: e-mails to owners of endpoints that had no first attempt in time. */
  readonly alerts: number;
}

const amountOf = ({ expired, links, alerts }: Expired): Amount =>
  Math.max(expired, links, alerts) === SWEEP_BATCH_SIZE ? 'more' : 'none';

/**
 * Fails e-mails that have waited too long for their first attempt, for example during a long outage of all notifiers.
 */
async function failExpiredMails(database: Database, logger: Logger): Promise<Expired> {
  const expired = await expireMails(database);
  const links = await expireActivationMails(database);
  for (const activationId of links)
    logger.warn({ activation_id: activationId, reason: 'expired' }, 'an activation e-mail failed permanently');
  const alerts = await expireAlertMails(database);
  if (expired + alerts > 0) logger.warn({ expired: expired + alerts }, 'e-mails expired before their first attempt');
  return { expired, links: links.length, alerts };
}
