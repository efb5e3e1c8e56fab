import {
  type Client,
  type NotificationDeliveries,
  notificationDeliveriesGet,
  notificationDeliveriesList,
  notificationEndpointsGet,
  notificationEndpointsStream,
  pages,
} from '@ats/client';

export type Status = NotificationDeliveries['status'];

/** A delivery, with the ids of its topic and subscription. */
export interface LoggedDelivery extends NotificationDeliveries {
  /** The id of the topic. */
  readonly topicId: number;
  /** The id of the subscription, below the topic. */
  readonly subscriptionId: number;
  /** The name of the topic. */
  readonly topicName: string;
}

/** The conditions on the deliveries of a log. An empty text and 0 are no conditions. */
export interface DeliveryFilter {
  readonly status: Status | '';
  /** The id of the topic. 0 selects all topics. */
  readonly topic: number;
  readonly eventType: string;
  /** The earliest and the latest time of the event, as ISO 8601. */
  readonly since: string;
  readonly until: string;
}

interface LoggedTopic {
  readonly id: number;
  readonly name: string;
  readonly type: string;
}

/** The newest deliveries of an endpoint. */
export interface ReadDeliveries {
  readonly rows: readonly LoggedDelivery[];
  /** True when older deliveries may follow. */
  readonly hasOlder: boolean;
  /** All topics of the endpoint, whether or not the filter selects them. */
  readonly topics: readonly LoggedTopic[];
}

interface ReadOptions {
  readonly filter: DeliveryFilter;
  /** The number of deliveries after which the reading of a subscription stops. */
  readonly count: number;
  readonly signal: AbortSignal;
}

const MAX_PER_PAGE = 1_000;
const RETRY_MS = 3_000;

/**
 * Reads the newest deliveries of an endpoint, across its subscriptions. The result has no gap: it has all matching
 * deliveries from its oldest one on.
 */
export async function readDeliveries(
  client: Client,
  endpointId: number,
  { filter, count, signal }: ReadOptions,
): Promise<ReadDeliveries> {
  const { data: endpoint } = await notificationEndpointsGet({ client, path: { id: endpointId }, signal });
  const subscriptions = endpoint.subscriptions ?? [];
  const query = {
    per_page: Math.min(count, MAX_PER_PAGE),
    sort: ['notification_delivery.id!desc'],
    ...(filter.status && { status: filter.status }),
    ...conditionsOf(filter),
  };
  const lists = await Promise.all(
    subscriptions
      .filter(({ topic: { id, type } }) => matches(filter.topic, id) && matches(filter.eventType, type))
      .map(async ({ id: subscriptionId, topic: { id: topicId, name: topicName } }) => {
        const list: LoggedDelivery[] = [];
        const path = { topicId, subscriptionId };
        for await (const page of pages(notificationDeliveriesList, { client, path, query, signal })) {
          list.push(...page.map((delivery) => ({ ...delivery, topicId, subscriptionId, topicName })));
          if (list.length >= count) return { list, last: list.at(-1)?.id ?? 0 };
        }
        return { list, last: 0 };
      }),
  );
  // `oldest` is the greatest id at which the reading of a subscription stopped. Deliveries with lower ids are left out,
  // because some of them were not read.
  const oldest = Math.max(0, ...lists.map(({ last }) => last));
  const rows = lists.flatMap(({ list }) => list.filter(({ id }) => id >= oldest));
  const topics = new Map(subscriptions.map(({ topic }) => [topic.id, topic]));
  return { rows: rows.sort((one, other) => other.id - one.id), hasOlder: oldest > 0, topics: [...topics.values()] };
}

const matches = <Value extends string | number>(wanted: Value, value: Value): boolean => !wanted || wanted === value;

function conditionsOf({ since, until }: DeliveryFilter): { search?: string[] } {
  const search = [...(since ? [`/occurred_dt>=${since}`] : []), ...(until ? [`/occurred_dt<=${until}`] : [])];
  return search.length > 0 ? { search } : {};
}

type DeliveryKey = Pick<LoggedDelivery, 'id' | 'topicId' | 'subscriptionId' | 'topicName'>;

export async function readDelivery(client: Client, row: DeliveryKey): Promise<LoggedDelivery> {
  const path = { topicId: row.topicId, subscriptionId: row.subscriptionId, id: row.id };
  return { ...row, ...(await notificationDeliveriesGet({ client, path })).data };
}

/**
 * Follows the messages of an endpoint by server-sent events until `signal` aborts. Calls `onMessage` for every part of
 * the stream, and `onState` when the connection is made or lost. Connects again after a loss.
 */
export async function followMessages(
  client: Client,
  endpointId: number,
  { signal, onMessage, onState }: FollowOptions,
): Promise<void> {
  while (!signal.aborted) {
    try {
      const { data } = await notificationEndpointsStream({
        client,
        path: { id: endpointId },
        headers: { Accept: 'text/event-stream' },
        parseAs: 'stream',
        signal,
      });
      onState(true);
      const reader = (data as unknown as ReadableStream<Uint8Array>).getReader();
      while (!(await reader.read()).done) onMessage();
    } catch {
      // Ignores the error, because `onState` shows the lost connection and the loop connects again.
    }
    if (signal.aborted) return;
    onState(false);
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

interface FollowOptions {
  readonly signal: AbortSignal;
  readonly onMessage: () => void;
  readonly onState: (isConnected: boolean) => void;
}
