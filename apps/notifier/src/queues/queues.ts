import { type RedisClient, type RedisConnections } from '@ats/redis-connection';
import { type Queue, type QueueOptions } from 'bull';

/**
 * The lanes of deliveries. Deliveries to failing or slow destinations use `slow`, so that they do not take the
 * concurrency slots of healthy ones.
 */
export type Lane = 'hot' | 'slow';
export const LANES: readonly Lane[] = ['hot', 'slow'];

/** Concurrent jobs of one process, by lane. More than about 200 in all makes Bull slower, not faster. */
export const CONCURRENCY: Readonly<Record<Lane, number>> = { hot: 120, slow: 50 };

/** The part that all jobs have in common. Everything else is read from the row. */
export interface Job {
  /** Number of attempts when the job was queued. The job is out of date when the row has another number. */
  readonly attempts: number;
  /** Number of requeues when the job was queued. The job is out of date when the row has another number. */
  readonly requeues: number;
}

export interface DeliveryJob extends Job {
  readonly deliveryId: number;
  /** Time of the event in milliseconds since 1970. It selects the partition of the row. */
  readonly occurred: number;
}

/** A queue of Bull, with its name and the concurrency that this process allows. */
export interface QueueHandle<AnyJob extends Job = Job> {
  readonly name: string;
  readonly queue: Queue<AnyJob>;
  /** Maximum number of jobs that run at the same time in this process. */
  readonly concurrency: number;
}

export type LaneQueues = Readonly<Record<Lane, Queue<DeliveryJob>>>;

export const laneHandle = (name: Lane, queues: LaneQueues): QueueHandle<DeliveryJob> => ({
  name,
  queue: queues[name],
  concurrency: CONCURRENCY[name],
});

/** Connections that add jobs give up soon, because the row can be sent without Bull. */
const PRODUCER = { retries: 1, commandTimeoutMs: 2_000 } as const;
/** Connections that wait for jobs also wait for Redis without limit. */
const CONSUMER = { retries: 'endless' } as const;

/**
 * Bull only transports jobs. Retries, delays and results are kept in PostgreSQL. The braces of the prefix keep all keys
 * of a queue in one hash slot of a Redis Cluster.
 */
export function queueOptions(name: string, connections: RedisConnections): QueueOptions {
  return {
    prefix: `{ntf-${name}}`,
    createClient: (type) => {
      const client = connections.create(type === 'client' ? PRODUCER : CONSUMER);
      return type === 'bclient' ? ignoringSecondConnect(client) : client;
    },
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

/**
 * Closing a queue disconnects its blocking client and calls `connect`. When the connection was lost, ioredis may be
 * reconnecting already. `connect` then rejects, and Bull does not handle the rejection, which would end the process.
 */
function ignoringSecondConnect(client: RedisClient): RedisClient {
  const connect = client.connect.bind(client);
  client.connect = () =>
    connect().catch((error: unknown) => {
      if (!(error instanceof Error && error.message.includes('already connecting'))) throw error;
    });
  return client;
}
