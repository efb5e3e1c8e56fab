import {
  ensurePingDay,
  insertPing,
  notificationDeliveries,
  notificationSubscriptions,
  readItem,
  ValidationError,
} from '@ats/domain';
import { Database } from '@ats/postgres';
import { Controller, Param, Post, Res } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { ResourceReader } from '../collections/resource-reader.js';
import { ChangesItemOf } from '../collections/owner.guard.js';
import { UnitOfWork } from '../collections/unit-of-work.js';
import { accepted, sendAnswer } from '../request/answer.js';
import { ItemId } from '../request/item-id.pipe.js';
import { Context, type RequestContext } from '../request/request-context.js';
import { Operation } from '../vocabulary/operation.js';
import { RequiresScope } from '../vocabulary/scopes.js';
import { DELIVERY_SCHEMA } from './deliveries.controller.js';
import { Destinations } from './destinations.js';

/** Sends test messages. Source: docs/reference/notifications.md, "Test messages". */
@Controller('api/v1/notification_topics/:topicId/subscriptions/:id')
export class PingController {
  constructor(
    private readonly database: Database,
    private readonly reader: ResourceReader,
    private readonly unitOfWork: UnitOfWork,
    private readonly destinations: Destinations,
  ) {}

  @Post('ping')
  @RequiresScope('notifications:write')
  @ChangesItemOf(notificationSubscriptions, 'id', 'topicId')
  @Operation({
    tag: notificationSubscriptions.name,
    summary: 'Send a test message',
    description: `Sends a test message. It is signed like any other message, and is also sent while the subscription is
pending, ended or disabled. It has the sequence 0 and one attempt. Its result does not affect the subscription.

\`details\` of the message is \`{ "id", "url", "is_test": true }\`, with the id and URL of its delivery.
\`Location\` has the same URL: read the delivery a moment later to see the result. When the service may not call the
destination, the answer is a 422 with \`invalid\` at \`/destination_url\`.`,
    answer: {
      status: 202,
      description: 'The delivery of the test message.',
      schema: DELIVERY_SCHEMA,
      headers: ['Location', 'ETag'],
    },
  })
  async ping(
    @Param('topicId', ItemId) topicId: number,
    @Param('id', ItemId) id: number,
    @Res() reply: FastifyReply,
    @Context() context: RequestContext,
  ): Promise<void> {
    const { destination_url } = JSON.parse(
      await this.reader.item(notificationSubscriptions, id, context, { ownerId: topicId }),
    ) as {
      readonly destination_url: string;
    };
    const info = await this.destinations.refusalOf(destination_url);
    if (info !== null)
      throw new ValidationError(notificationSubscriptions.name, [{ path: '/destination_url', code: 'invalid', info }]);
    await ensurePingDay(this.database);
    const answer = await this.unitOfWork.answer(context, async ({ transaction, recruiterId, settings }) => {
      const deliveryId = await insertPing(transaction, { topicId, id }, { recruiterId, baseUrl: settings.baseUrl });
      const body = await readItem(transaction, notificationDeliveries, deliveryId, settings, id);
      return accepted(body);
    });
    sendAnswer(reply, answer);
  }
}
