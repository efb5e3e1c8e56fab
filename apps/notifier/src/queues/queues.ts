import { type RedisConnections } from '@ats/redis-connection';
import { type Queue, type QueueOptions } from 'bull';
import { type Lane } from '../delivery/store/due-deliveries.js';

/** Who adds a job gives up soon: it has its row to fall back on. */
const PRODUCER = { retries: 1, commandTimeoutMs: 2_000 } as const;
/** Waits for jobs, and for Redis, as long as it takes. */
const WAITING = { retries: 'endless' } as const;

export const LANES: readonly Lane[] = ['hot', 'slow'];

/** Sent at the same time by one process, by lane; more than some 200 in all makes Bull slower, not faster. */
export const CONCURRENCY: Readonly<Record<Lane, number>> = { hot: 120, slow: 50 };

/** What every job carries, beside the id of its row: everything else is in there. */
export interface Job {
  /** Attempts begun when it was queued; a row that has gone on since is left alone. */
  readonly attempts: number;
  /** How often the row had been put back by then; one that was put back again has another job. */
  readonly requeues: number;
}

export interface DeliveryJob extends Job {
  readonly deliveryId: number;
  /** When its event occurred, in milliseconds since 1970: says in which partition the row is. */
  readonly occurred: number;
}

/** A queue of Bull as this process works on it. */
export interface Line<AnyJob extends Job = Job> {
  readonly name: string;
  readonly queue: Queue<AnyJob>;
  /** Jobs at the same time. */
  readonly concurrency: number;
}

export type Queues = Readonly<Record<Lane, Queue<DeliveryJob>>>;

export const deliveryLine = (name: Lane, queues: Queues): Line<DeliveryJob> => ({
  name,
  queue: queues[name],
  concurrency: CONCURRENCY[name],
});

/**
 * Bull as pure transport: no retries, delays or results of its own, since rows decide.
 * Braces in the prefix keep the keys of one queue in one slot of a cluster.
 * Source: NOTIFIER.md 4.
 */
export function queueOptions(name: string, connections: RedisConnections): QueueOptions {
  return {
    prefix: `{ntf-${name}}`,
    createClient: (type) => connections.create(type === 'client' ? PRODUCER : WAITING),
    defaultJobOptions: { attempts: 1, removeOnComplete: true, removeOnFail: true },
    settings: {
      lockDuration: 60_000,
      lockRenewTime: 15_000,
      stalledInterval: 30_000,
      maxStalledCount: 3,
      guardInterval: 60_000,
      drainDelay: 5,
    },
  };
}
