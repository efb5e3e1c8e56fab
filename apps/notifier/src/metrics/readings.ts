import { type Outbox, readOutbox } from '@ats/domain';
import { type Database } from '@ats/postgres';
import { Reading } from '@ats/telemetry';
import { type QueueHandle } from '../queues/queues.js';
import { type RedisCircuitBreaker } from '../queues/redis-circuit-breaker.js';
import { type MailBacklog, readMailBacklog } from '../mail/store/mail-backlog.js';
import { type Breaker, readBreakers } from '../delivery/store/circuit-breakers.js';
import { readReconciliation, type ReconciliationState } from './reconciliation-state.js';

export interface LaneJobs {
  readonly lane: string;
  readonly waiting: number;
  readonly active: number;
}

/** Values that are read from PostgreSQL and Redis. They are the same in all notifiers. */
export class Readings {
  readonly outbox: Reading<Outbox>;
  readonly breakers: Reading<readonly Breaker[]>;
  readonly reconciliation: Reading<ReconciliationState>;
  readonly jobs: Reading<readonly LaneJobs[]>;
  /** The state of due e-mails. Null without `SMTP_URL`. */
  readonly mail: Reading<MailBacklog> | null;
  /** The e-mails that wait although this process sends none. Null when `SMTP_URL` is set. */
  readonly unsentMail: Reading<MailBacklog> | null;

  constructor(
    database: Database,
    private readonly handles: readonly QueueHandle[],
    private readonly breaker: RedisCircuitBreaker,
    { hasMail }: { readonly hasMail: boolean },
  ) {
    this.outbox = new Reading({ read: () => readOutbox(database) });
    this.breakers = new Reading({ read: () => readBreakers(database) });
    this.reconciliation = new Reading({ read: () => readReconciliation(database) });
    this.jobs = new Reading({ read: () => this.readJobs() });
    const backlog = new Reading({ read: () => readMailBacklog(database) });
    this.mail = hasMail ? backlog : null;
    this.unsentMail = hasMail ? null : backlog;
  }

  /** True while Redis is unavailable and this process sends without Bull. */
  isDirect(): boolean {
    return !this.breaker.isUsable();
  }

  private async readJobs(): Promise<readonly LaneJobs[]> {
    if (this.isDirect()) throw new Error('the jobs of the queues cannot be counted, because Redis is unavailable');
    return Promise.all(
      this.handles.map(async ({ name: lane, queue }) => {
        const [waiting, active] = await Promise.all([queue.getWaitingCount(), queue.getActiveCount()]);
        return { lane, waiting, active };
      }),
    );
  }
}
