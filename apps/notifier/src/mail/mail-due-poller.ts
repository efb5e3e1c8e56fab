import { type Database } from '@ats/postgres';
import { type Carrier } from '../queues/job-dispatcher.js';
import { type Amount } from '../loops/poll-loop.js';
import { pickDueMails } from './store/due-mails.js';
import { type MailJob } from './store/mail-job.js';
import { type ServerGate } from './smtp/smtp-circuit-breaker.js';

/** Moves what is due towards a worker. The row is marked first: a process that dies in between leaves a row to be found. */
export class MailFeeder {
  constructor(
    private readonly database: Database,
    private readonly carrier: Carrier<MailJob>,
    private readonly gate: ServerGate,
  ) {}

  async feed(): Promise<Amount> {
    const room = this.gate.allows(await this.carrier.room());
    if (room === 0) return 'some';
    const jobs = await pickDueMails(this.database, room);
    this.gate.begun(jobs.length);
    await Promise.all(jobs.map((job) => this.carrier.carry(job)));
    return jobs.length > 0 ? 'some' : 'none';
  }
}
