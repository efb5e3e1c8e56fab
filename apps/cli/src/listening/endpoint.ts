import { type Client } from '@ats/client';
import { pathOf } from '../context.js';
import { UsageError } from '../errors.js';

/** The keys, the headers and the batch size of an endpoint, with which the service sends messages. */
export interface Sender {
  readonly signing_key: string;
  /** The new key. Present while a key rotation lasts. */
  readonly next_signing_key: string | null;
  readonly custom_headers: Readonly<Record<string, string>>;
  /** The largest batch. Null when the endpoint gets each message in a request of its own. */
  readonly batch: { readonly max: number } | null;
}

export interface FeedMessage {
  readonly position: number;
  readonly type: string;
  readonly sequence: number;
  readonly message_id: string;
  /** The exact text of the message, which is signed. */
  readonly body: string;
}
interface Feed {
  readonly items: readonly FeedMessage[];
  readonly has_more: boolean;
}

/** Longest time in seconds that one request waits for a message. */
const WAIT_SECONDS = 55;
/**
 * Milliseconds for which keys and headers are cached. They are read rarely, because the service logs each read of a
 * key.
 */
const SENDER_MS = 60_000;

/** Reads the messages of one endpoint. Source: docs/reference/notifications.md, "Feed of an endpoint". */
export class Endpoint {
  #sender: Sender | undefined;
  #senderReadAt = 0;

  constructor(
    private readonly client: Client,
    private readonly id: string,
  ) {}

  /** Returns the present keys and headers. @throws {UsageError} when the credential may not read them */
  async sender(): Promise<Sender> {
    if (this.#sender && performance.now() - this.#senderReadAt < SENDER_MS) return this.#sender;
    const { data } = await this.client.get<{ 200: Sender & { signing_key: string | null } }, unknown, true>({
      url: pathOf('notification_endpoints', this.id),
      throwOnError: true,
    });
    if (data.signing_key === null)
      throw new UsageError(
        'This credential may not read the signing key of the endpoint: only the credential that created it, or one ' +
          'with notifications:admin, may do so.',
      );
    this.#senderReadAt = performance.now();
    this.#sender = data;
    return data;
  }

  /** Reads the messages after a position. When there is none yet, waits for one. */
  async next(after: number): Promise<readonly FeedMessage[]> {
    return (await this.#read({ after, wait: WAIT_SECONDS })).items;
  }

  /** Finds the position of the last stored message with a binary search, which needs few requests and no long list. */
  async last(): Promise<number> {
    let [low, high] = [0, 1];
    while (await this.#hasMessageBehind(high)) [low, high] = [high, high * 2];
    if (low === 0 && !(await this.#hasMessageBehind(0))) return 0;
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (await this.#hasMessageBehind(middle)) low = middle;
      else high = middle;
    }
    return high;
  }

  async #hasMessageBehind(after: number): Promise<boolean> {
    for (;;) {
      // An empty page does not mean the end, because positions have gaps.
      const { items, has_more: hasMore } = await this.#read({ after, per_page: 1 });
      if (items.length > 0 || !hasMore) return items.length > 0;
    }
  }

  async #read(query: Readonly<Record<string, number>>): Promise<Feed> {
    const { data } = await this.client.get<{ 200: Feed }, unknown, true>({
      url: `${pathOf('notification_endpoints', this.id)}/messages`,
      query,
      throwOnError: true,
    });
    return data;
  }
}
