import { type Database } from '@ats/postgres';
import { type Amount } from '../loops/poll-loop.js';
import { type JobDispatcher } from '../queues/job-dispatcher.js';
import { type SmtpCircuitBreaker } from './smtp/smtp-circuit-breaker.js';
import { pickDueMails } from './store/due-mails.js';
import { type MailJob } from './store/mail-job.js';

/**
 * Marks due e-mails as queued and hands them to the job dispatcher. If the process dies between these steps, the
 * sweeper requeues the e-mails.
 */
export class MailDuePoller {
  constructor(
    private readonly database: Database,
    private readonly dispatcher: JobDispatcher<MailJob>,
    private readonly breaker: SmtpCircuitBreaker,
  ) {}

  async poll(): Promise<Amount> {
    const capacity = this.breaker.limit(await this.dispatcher.capacity());
    if (capacity === 0) return 'some';
    const jobs = await pickDueMails(this.database, capacity);
    this.breaker.recordStarted(jobs.length);
    await Promise.all(jobs.map((job) => this.dispatcher.dispatch(job)));
    return jobs.length > 0 ? 'some' : 'none';
  }
}
