import {
  ensurePingDay,
  insertPing,
  noDestination,
  notificationDeliveries,
  readItem,
  type StoredAnswer,
  type SubscriptionKey,
  ValidationError,
} from '@ats/domain';
import { Database } from '@ats/postgres';
import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../collections/unit-of-work.js';
import { accepted } from '../request/answer.js';
import { type RequestContext } from '../request/request-context.js';
import { DELIVERY_SCHEMA } from './deliveries.controller.js';
import { Destinations } from './destinations.js';

export const PING_ANSWER = {
  status: 202,
  description: 'The delivery of the test message.',
  schema: DELIVERY_SCHEMA,
  headers: ['Location', 'ETag'],
} as const;

/** Describes the routes that send test messages, for the reference. */
export const PING_TEXT = `\`details\` of the message is \`{ "id", "url", "is_test": true }\`, with the id and URL of its delivery.
\`Location\` has the same URL: read the delivery a moment later to see the result. When the service may not call the
destination, the answer is 422 with \`invalid\` at \`/destination_url\`. When the endpoint has no
destination, the code is \`missing\`.`;

interface PingOptions {
  readonly subscription: SubscriptionKey;
  readonly destinationUrl: string | null;
  /** Name of the collection, as violations show it. */
  readonly resource: string;
}

/** Sends test messages. Source: docs/reference/notifications.md, "Test messages". */
@Injectable()
export class Pings {
  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
    private readonly destinations: Destinations,
  ) {}

  /**
   * Creates the delivery of a test message. Must not be called inside a transaction, because the check of the
   * destination queries name servers.
   * @throws {ValidationError} when there is no destination, or the service may not call it
   */
  async send(context: RequestContext, { subscription, destinationUrl, resource }: PingOptions): Promise<StoredAnswer> {
    if (destinationUrl === null) throw noDestination(resource);
    const info = await this.destinations.refusalOf(destinationUrl);
    if (info !== null) throw new ValidationError(resource, [{ path: '/destination_url', code: 'invalid', info }]);
    await ensurePingDay(this.database);
    return this.unitOfWork.answer(context, async ({ transaction, recruiterId, settings }) => {
      const deliveryId = await insertPing(transaction, subscription, { recruiterId, baseUrl: settings.baseUrl });
      return accepted(await readItem(transaction, notificationDeliveries, deliveryId, settings, subscription.id));
    });
  }
}
