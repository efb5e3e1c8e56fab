import { type FeedMessage, type Sender } from './endpoint.js';

/** The messages that one request sends. */
export interface Parcel {
  readonly messages: readonly [FeedMessage, ...FeedMessage[]];
  /** True when the endpoint gets batches, which are arrays of messages. */
  readonly isBatch: boolean;
  readonly body: string;
}

/** Returns the messages of the next request to an endpoint. Source: docs/reference/notifications.md, "Batches". */
export function nextParcel(
  [first, ...later]: readonly [FeedMessage, ...FeedMessage[]],
  { batch }: Pick<Sender, 'batch'>,
): Parcel {
  if (!batch) return { messages: [first], isBatch: false, body: first.body };
  const subscription = subscriptionOf(first);
  const end = later.findIndex((message) => subscriptionOf(message) !== subscription);
  const following = later.slice(0, Math.min(end === -1 ? later.length : end, batch.max - 1));
  const messages = [first, ...following] as const;
  return { messages, isBatch: true, body: `[${messages.map(({ body }) => body).join(',')}]` };
}

/** Returns the id of a message's subscription. All messages of a batch belong to the same subscription. */
const subscriptionOf = ({ body }: FeedMessage): number =>
  (JSON.parse(body) as { readonly subscription: { readonly id: number } }).subscription.id;

/**
 * Returns the ids of the messages that an answer 200 to a batch refuses, in lower case. An answer without a list of ids
 * refuses none.
 */
export function rejectedIds(body = ''): ReadonlySet<string> {
  try {
    const { failed } = JSON.parse(body) as { readonly failed?: unknown };
    return new Set(
      Array.isArray(failed) ? failed.filter((id) => typeof id === 'string').map((id) => id.toLowerCase()) : [],
    );
  } catch {
    return new Set();
  }
}
