import { type Job } from '../../queues/queues.js';

export interface MailJob extends Job {
  readonly mailId: number;
}

/** Name of the queue of e-mails in Bull, and of their lane. */
export const MAIL_QUEUE = 'mail';

/** Length of a lease in seconds. It is longer than the longest attempt plus the time to store its result. */
export const MAIL_LEASE_SECONDS = 180;
