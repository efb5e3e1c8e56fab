import { type Client } from '@ats/client';
import { pathOf } from '../context.js';
import { UsageError } from '../errors.js';

/** The keys, the headers and the batch size with which the service sends the messages of an endpoint. */
export interface Sender {
  readonly signing_key: string;
  /** The new key, while a rotation lasts. */
  readonly next_signing_key: string | null;
  readonly custom_headers: Readonly<Record<string, string>>;
  /** Null for an endpoint that gets each message in a request of its own. */
  readonly batch: { readonly max: number } | null;
}

export interface FeedMessage {
  readonly position: number;
  readonly type: string;
  readonly sequence: number;
  readonly message_id: string;
  /** The exact text that is signed. */
  readonly body: string;
}
interface Feed {
  readonly items: readonly FeedMessage[];
  readonly has_more: boolean;
}

/** Seconds of one waiting request. */
const WAIT_SECONDS = 55;
/**
 * Milliseconds for which keys and headers are kept. The service logs each reading of a key, so they are read rarely.
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

  /** Returns the present keys and headers. @throws {UsageError} when this credential may not read them */
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

  /** Reads the messages after a position. Waits for one when there is none yet. */
  async next(after: number): Promise<readonly FeedMessage[]> {
    return (await this.#read({ after, wait: WAIT_SECONDS })).items;
  }

  /** Returns the position of the last stored message. It needs few requests and reads no long list. */
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
      // Positions have gaps, so messages can follow after an empty page.
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
