import {
  acknowledgePosition,
  type EndpointFeedPage,
  type EndpointMessage,
  type EventType,
  notificationEndpoints,
  readEndpointFeed,
} from '@ats/domain';
import { message } from '@ats/message';
import { Database } from '@ats/postgres';
import { Injectable } from '@nestjs/common';
import { ResourceReader } from '../collections/resource-reader.js';
import { type StreamPart } from '../feeds/event-stream.js';
import { type WaitingClient } from '../feeds/waiting-client.js';
import { type RequestContext } from '../request/request-context.js';
import { checkScope } from '../vocabulary/scopes.js';
import { EndpointWatch } from './endpoint-watch.js';
import { checkTopicScopes } from './topic-expression.js';

export interface EndpointFeedQuery {
  readonly endpointId: number;
  readonly after: number;
  readonly limit: number;
  readonly waitSeconds: number;
}

export interface EndpointFeedAnswer {
  readonly items: readonly EndpointMessage[];
  readonly next: number;
  readonly has_more: boolean;
}

/** Reads the expression of each topic of an endpoint, and its earlier expressions that are still stored. */
const EXPRESSIONS = `
SELECT s.id, t.type, t.datapaths FROM notification_subscriptions s JOIN notification_topics t ON t.id = s.topic_id
WHERE s.endpoint_id = $1
UNION ALL
SELECT s.id, r.type, r.datapaths FROM notification_subscriptions s
JOIN notification_topic_revisions r ON r.topic_id = s.topic_id WHERE s.endpoint_id = $1`;

/** Reads the feeds of endpoints. Source: docs/reference/notifications.md, "Feed of an endpoint". */
@Injectable()
export class EndpointFeedService {
  constructor(
    private readonly database: Database,
    private readonly reader: ResourceReader,
    private readonly watch: EndpointWatch,
  ) {}

  /**
   * Reads the next messages, and waits for one if the query says so.
   * @throws {Problem} 401 when the credential ends meanwhile, 403 when it lacks a scope, 429 when too many requests of
   *   the credential wait
   * @throws {NotFoundError} when there is no such endpoint
   */
  async read(query: EndpointFeedQuery, context: RequestContext, client: WaitingClient): Promise<EndpointFeedAnswer> {
    const { messages, hasMore } = await this.#waited(query, context, client);
    return { items: messages, next: messages.at(-1)?.position ?? query.after, has_more: hasMore };
  }

  /**
   * Reads messages until the client closes the connection or the process ends. The first part comes at once. Each
   * further part contains the messages since the part before, and is empty after `waitSeconds` without a message.
   * @throws {Problem} as {@link read}
   */
  async *follow(query: EndpointFeedQuery, context: RequestContext, client: WaitingClient): AsyncGenerator<StreamPart> {
    let { after } = query;
    for (let waitSeconds = 0; !client.gone.aborted && !this.watch.isEnding; waitSeconds = query.waitSeconds) {
      const { messages } = await this.#waited({ ...query, after, waitSeconds }, context, client);
      after = messages.at(-1)?.position ?? after;
      yield { events: messages.map(({ position, type, body }) => ({ id: String(position), event: type, data: body })) };
    }
  }

  async #waited(query: EndpointFeedQuery, context: RequestContext, client: WaitingClient): Promise<EndpointFeedPage> {
    const { endpointId, after, waitSeconds } = query;
    const deadline = performance.now() + waitSeconds * 1_000;
    for (;;) {
      const page = await this.#page(query, client);
      const leftMs = Math.ceil(deadline - performance.now());
      if (page.messages.length > 0 || page.hasMore || leftMs <= 0) return page;
      if (client.gone.aborted || this.watch.isEnding) return page;
      client.release();
      const signal = AbortSignal.any([client.gone, AbortSignal.timeout(leftMs)]);
      await this.watch.wait({ endpointId, position: after, credentialId: context.actor.credentialId }, signal);
    }
  }

  /**
   * Checks the rights before each page, because a stream can stay open for days. When a stream asks for the next page,
   * it has sent the page before, which therefore counts as acknowledged.
   */
  async #page({ endpointId, after, limit }: EndpointFeedQuery, client: WaitingClient): Promise<EndpointFeedPage> {
    const scopes = await client.check();
    checkScope(scopes, 'notifications:read', message`The credential lacks the scope ${'notifications:read'}`);
    await this.reader.mustExist(notificationEndpoints, endpointId);
    const rows = await this.database.query<{ id: number; type: EventType; datapaths: readonly string[] }>(EXPRESSIONS, [
      endpointId,
    ]);
    for (const row of rows) checkTopicScopes(scopes, row, true);
    await acknowledgePosition(this.database, endpointId, after);
    const subscriptionIds = [...new Set(rows.map(({ id }) => id))];
    return readEndpointFeed(this.database, { endpointId, after, limit, subscriptionIds });
  }
}
