import { type Job } from '../../queues/queues.js';

export interface MailJob extends Job {
  readonly mailId: number;
}

/** Name of the queue of e-mails in Bull. It is also the name of their lane. */
export const MAIL_QUEUE = 'mail';

/** Length of a lease. Longer than the longest attempt and the storing of its result. */
export const MAIL_LEASE_SECONDS = 180;
