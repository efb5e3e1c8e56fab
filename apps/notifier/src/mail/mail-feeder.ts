import { type Database } from '@ats/domain';
import { type Carrier } from '../feeding/carrier.js';
import { type Amount } from '../running/poll-loop.js';
import { pickDueMails } from './due-mails.js';
import { type MailJob } from './mail-job.js';

/** Moves what is due towards a worker. The row is marked first: a process that dies in between leaves a row to be found. */
export class MailFeeder {
  constructor(
    private readonly database: Database,
    private readonly carrier: Carrier<MailJob>,
  ) {}

  async feed(): Promise<Amount> {
    const room = await this.carrier.room();
    if (room === 0) return 'some';
    const jobs = await pickDueMails(this.database, room);
    await Promise.all(jobs.map((job) => this.carrier.carry(job)));
    return jobs.length > 0 ? 'some' : 'none';
  }
}
