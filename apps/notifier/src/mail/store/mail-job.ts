import { type Job } from '../../queues/queues.js';

export interface MailJob extends Job {
  readonly mailId: number;
}

/** Name of the queue in Bull. */
export const MAIL_QUEUE = 'mail';

/** Sent at the same time by one process: servers take few connections from one client. */
export const MAILS_AT_ONCE = 5;

/** How long a claim holds without an end: more than one attempt with the writing of its result can take. */
export const MAIL_LEASE_SECONDS = 180;
