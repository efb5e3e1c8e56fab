import { type RedisClient, type RedisConnections } from '@ats/redis-connection';
import { type Queue, type QueueOptions } from 'bull';

/**
 * The lanes of deliveries. Deliveries to failing or slow destinations use the lane `slow`, so that they do not take the
 * concurrency slots of deliveries to healthy destinations.
 */
export type Lane = 'hot' | 'slow';
export const LANES: readonly Lane[] = ['hot', 'slow'];

/** Number of deliveries that a process claims for itself and sends at the same time, by lane. */
export const OWN_SLOTS: Readonly<Record<Lane, number>> = { hot: 100, slow: 40 };
/**
 * Number of jobs of Bull that a process runs at the same time, by lane. Bull gets only the deliveries for which the
 * process that picks them has no slot.
 */
export const CONCURRENCY: Readonly<Record<Lane, number>> = { hot: 20, slow: 10 };

/** The properties that all jobs have. Everything else is read from the row. */
export interface Job {
  /** Number of attempts when the job was queued. The job is out of date when the row has another number. */
  readonly attempts: number;
  /** Number of requeues when the job was queued. The job is out of date when the row has another number. */
  readonly requeues: number;
}

export interface DeliveryJob extends Job {
  readonly deliveryId: number;
  /** Time of the event in milliseconds since 1970. It identifies the partition of the row. */
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

/** Options of connections that add jobs. They give up soon, because the row can be sent without Bull. */
const PRODUCER = { retries: 1, commandTimeoutMs: 2_000 } as const;
/** Options of connections that wait for jobs. They wait for Redis without limit. */
const CONSUMER = { retries: 'endless' } as const;

/**
 * Returns the options of a queue. Bull only transports jobs; PostgreSQL has retries, delays and results. The braces in
 * the prefix put all keys of a queue into one hash slot of a Redis Cluster.
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
 * Ignores a rejection of `connect` when a queue closes. Closing disconnects the blocking client and calls `connect`. If
 * the connection was lost, ioredis may already be reconnecting, and `connect` rejects. Bull does not handle the
 * rejection, which would end the process.
 */
function ignoringSecondConnect(client: RedisClient): RedisClient {
  const connect = client.connect.bind(client);
  client.connect = () =>
    connect().catch((error: unknown) => {
      if (!(error instanceof Error && error.message.includes('already connecting'))) throw error;
    });
  return client;
}
