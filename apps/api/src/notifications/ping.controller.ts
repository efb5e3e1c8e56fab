import { notificationSubscriptions } from '@ats/domain';
import { Controller, Param, Post, Res } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { ResourceReader } from '../collections/resource-reader.js';
import { ChangesItemOf } from '../collections/owner.guard.js';
import { sendAnswer } from '../request/answer.js';
import { ItemId } from '../request/item-id.pipe.js';
import { Context, type RequestContext } from '../request/request-context.js';
import { Operation } from '../vocabulary/operation.js';
import { RequiresScope } from '../vocabulary/scopes.js';
import { PING_ANSWER, PING_TEXT, Pings } from './pings.js';

/** Sends test messages. Source: docs/reference/notifications.md, "Test messages". */
@Controller('api/v1/notification_topics/:topicId/subscriptions/:id')
export class PingController {
  constructor(
    private readonly reader: ResourceReader,
    private readonly pings: Pings,
  ) {}

  @Post('ping')
  @RequiresScope('notifications:write')
  @ChangesItemOf(notificationSubscriptions, 'id', 'topicId')
  @Operation({
    tag: notificationSubscriptions.name,
    summary: 'Send a test message',
    description: `Sends a test message. It is signed like any other message, and is also sent while the subscription is
pending, ended or disabled. It has the sequence 0 and one attempt. Its result does not affect the subscription.

${PING_TEXT}`,
    answer: PING_ANSWER,
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
      readonly destination_url: string | null;
    };
    const options = { subscription: { topicId, id }, destinationUrl: destination_url };
    sendAnswer(reply, await this.pings.send(context, { ...options, resource: notificationSubscriptions.name }));
  }
}
