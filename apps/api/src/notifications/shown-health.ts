import {
  type EndpointHealth,
  type JsonSchema,
  MAX_BACKLOG,
  NO_HEALTH,
  notificationEndpoints,
  notificationSubscriptions,
  readEndpointHealth,
  type StoredAnswer,
} from '@ats/domain';
import { Database, runStatement } from '@ats/postgres';
import { Injectable } from '@nestjs/common';
import { type FurtherProperties, tooComplex } from '../collections/collection-parameters.js';
import { type ItemChange } from '../collections/item-body.js';
import { type Work } from '../collections/unit-of-work.js';
import { entityTag } from '../request/answer.js';
import { isJsonObject } from '../vocabulary/merge-patch.js';
import { strictObject } from '../vocabulary/operation.js';

const rate = (period: string): JsonSchema => ({
  type: ['number', 'null'],
  minimum: 0,
  maximum: 1,
  description: `Share of successful attempts in ${period}, rounded down to three decimals. Null without attempts.`,
});
const latency = (share: string): JsonSchema => ({
  type: ['integer', 'null'],
  description:
    `Time in milliseconds within which ${share} of the successful attempts of the last hour ended, otherwise of the ` +
    'last day. The error is below 19 %. Null without successful attempts.',
});
const DISABLED = 'Null unless all subscriptions of the endpoint are disabled.';

export const HEALTH_PROPERTY: JsonSchema = {
  health: {
    description:
      'The state of sending to the destination, over all subscriptions of the endpoint. Attempts of test messages do ' +
      'not count. Read-only: `PUT` and `PATCH` ignore it.',
    ...strictObject({
      last_success_dt: {
        type: ['string', 'null'],
        format: 'date-time',
        description: 'Time of the last successful attempt of a present subscription.',
      },
      success_rate_1h: rate('the last hour'),
      success_rate_24h: rate('the last 24 hours'),
      latency_p50_ms: latency('half'),
      latency_p99_ms: latency('99 %'),
      backlog: {
        type: 'integer',
        minimum: 0,
        description:
          'Number of messages that wait, are being sent or are held. Without a `destination_url`, number of messages ' +
          'that no client has acknowledged. Counted up to ' +
          `${MAX_BACKLOG.item.toLocaleString('en')}, in lists up to ${MAX_BACKLOG.list.toLocaleString('en')}.`,
      },
      disabled_dt: {
        type: ['string', 'null'],
        format: 'date-time',
        description: `Time when the last subscription was disabled. ${DISABLED}`,
      },
      disabled_reason: {
        type: ['string', 'null'],
        enum: [...(notificationSubscriptions.type.attributes['disabled_reason']?.values ?? []), null],
        description: `The \`disabled_reason\` of the last disabled subscription. ${DISABLED}`,
      },
    }),
  },
};

/** Adds the health to endpoints. Source: docs/reference/notifications.md, "Health of an endpoint". */
@Injectable()
export class ShownHealth implements FurtherProperties {
  readonly names = Object.keys(HEALTH_PROPERTY);

  constructor(private readonly database: Database) {}

  /** Adds the health to each endpoint of a page, which is a list as JSON text in UTF-8. */
  async add(page: Buffer): Promise<Buffer> {
    const items = JSON.parse(page.toString()) as readonly { readonly id: number }[];
    const ids = items.map(({ id }) => id);
    const health = await this.#read(ids, MAX_BACKLOG.list);
    return Buffer.from(JSON.stringify(items.map((item) => ({ ...item, health: health.get(item.id) ?? NO_HEALTH }))));
  }

  /**
   * Adds the present health of an endpoint to its representation.
   * @param variant  version and language of the request
   */
  async inItem(text: string, variant: string): Promise<Pick<StoredAnswer, 'body' | 'headers'>> {
    const { id } = JSON.parse(text) as { readonly id: number };
    return withHealth(text, variant, (await this.#read([id], MAX_BACKLOG.item)).get(id));
  }

  /** Like {@link inItem}, but shows the health as it is after the writes of a running transaction. */
  async inWork(text: string, { transaction, variant }: Work): Promise<Pick<StoredAnswer, 'body' | 'headers'>> {
    const { id } = JSON.parse(text) as { readonly id: number };
    const health = await this.#read([id], MAX_BACKLOG.item, ({ text: sql, parameters }) =>
      runStatement(transaction, sql, parameters),
    );
    return withHealth(text, variant, health.get(id));
  }

  async #read(
    ids: readonly number[],
    maxBacklog: number,
    read: Parameters<typeof readEndpointHealth>[0] = (statement) => this.database.reading.query(statement),
  ): Promise<ReadonlyMap<number, EndpointHealth>> {
    try {
      return await readEndpointHealth(read, ids, maxBacklog);
    } catch (error) {
      throw tooComplex(error, notificationEndpoints) ?? error;
    }
  }
}

/**
 * Adds the health of an endpoint to its representation. Without `health`, it is the health of a new endpoint. The
 * `ETag` has a separate part for the health, because `If-Match` must not depend on values that change without a write.
 */
export function withHealth(
  text: string,
  variant: string,
  health: EndpointHealth = NO_HEALTH,
): Pick<StoredAnswer, 'body' | 'headers'> {
  const body = JSON.stringify({ ...(JSON.parse(text) as object), health });
  return { body, headers: { etag: entityTag(text, variant, JSON.stringify(health)) } };
}

/** Removes the health from a body, because it may have changed since the client read it. */
export function withoutHealth(change: ItemChange): ItemChange {
  if (!isJsonObject(change.body)) return change;
  const { health: _, ...body } = change.body;
  return { ...change, body };
}
