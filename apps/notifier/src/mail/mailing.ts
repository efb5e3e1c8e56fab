import { type BullWorker } from '../feeding/bull-worker.js';
import { type Line } from '../feeding/queues.js';
import { type MailFeeder } from './mail-feeder.js';
import { type MailJob } from './mail-job.js';
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
