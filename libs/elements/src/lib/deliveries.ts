import {
  type Client,
  type NotificationDeliveries,
  notificationDeliveriesGet,
  notificationDeliveriesList,
  notificationEndpointsGet,
  notificationEndpointsStream,
} from '@ats/client';

export type Status = NotificationDeliveries['status'];

/** A delivery and its subscription. */
export interface LoggedDelivery extends NotificationDeliveries {
  /** The id of the topic. */
  readonly topicId: number;
  /** The id of the subscription, below the topic. */
  readonly subscriptionId: number;
  /** The name of the topic. */
  readonly topicName: string;
}

const PER_PAGE = 100;
const RETRY_MS = 3_000;

/** Reads the newest deliveries of an endpoint, across all its subscriptions. */
export async function readDeliveries(
  client: Client,
  endpointId: number,
  status: Status | undefined,
  signal: AbortSignal,
): Promise<readonly LoggedDelivery[]> {
  const { data: endpoint } = await notificationEndpointsGet({ client, path: { id: endpointId }, signal });
  const lists = await Promise.all(
    (endpoint.subscriptions ?? []).map(async ({ id: subscriptionId, topic }) => {
      const { data } = await notificationDeliveriesList({
        client,
        path: { topicId: topic.id, subscriptionId },
        query: { per_page: PER_PAGE, sort: ['notification_delivery.id!desc'], ...(status && { status }) },
        signal,
      });
      return data.map((delivery) => ({ ...delivery, topicId: topic.id, subscriptionId, topicName: topic.name }));
    }),
  );
  return lists.flat().sort((one, other) => other.id - one.id);
}

export async function readDelivery(client: Client, row: LoggedDelivery): Promise<LoggedDelivery> {
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
