import { type BullWorker } from '../queues/bull-worker.js';
import { type Line } from '../queues/queues.js';
import { type MailFeeder } from './mail-due-poller.js';
import { type MailJob } from './store/mail-job.js';
import { type MailSweeper } from './mail-sweeper.js';

/** All that sends e-mails. */
export interface Mailing {
  readonly line: Line<MailJob>;
  readonly feeder: MailFeeder;
  readonly sweeper: MailSweeper;
  readonly worker: BullWorker<MailJob>;
  /** Resolves when everything sent without Bull has come to its end. */
  readonly drain: () => Promise<void>;
  /** Closes the connections to the server; what is still under way fails. */
  readonly close: () => void;
}

/** Token of `Mailing`; null in a notifier without `SMTP_URL`. */
export const MAILING = Symbol('mailing');
