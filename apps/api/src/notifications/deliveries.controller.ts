import {
  notificationDeliveries,
  notificationSubscriptions,
  readItem,
  REDELIVERY_ERROR_CODES,
  redeliver,
  representationSchema,
} from '@ats/domain';
import { Controller, Get, Param, Post, Res, SetMetadata } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { attributeFilterParameters } from '../collections/attribute-filters.js';
import { ListOperation } from '../collections/list-operation.js';
import { COLLECTION_PARAMETERS } from '../collections/page-parameters.js';
import { RESOURCE } from '../collections/resource-controller.js';
import { ChangesItemOf } from '../collections/owner.guard.js';
import { Lists } from '../collections/lists.js';
import { ResourceReader } from '../collections/resource-reader.js';
import { UnitOfWork } from '../collections/unit-of-work.js';
import { sendAnswer, sendItem } from '../request/answer.js';
import { ItemId } from '../request/item-id.pipe.js';
import { Context, type RequestContext } from '../request/request-context.js';
import { Operation } from '../vocabulary/operation.js';
import { MESSAGE_SCOPES, NeedsTopicScopes } from './topic-scopes.guard.js';
import { RequiresScope } from '../vocabulary/scopes.js';

const tag = notificationDeliveries.name;
export const DELIVERY_SCHEMA = {
  name: notificationDeliveries.name,
  schema: representationSchema(notificationDeliveries),
};

/** Serves the deliveries of a subscription. Source: docs/reference/notifications.md, "Delivery log". */
@SetMetadata(RESOURCE, notificationDeliveries)
@Controller('api/v1/notification_topics/:topicId/subscriptions/:subscriptionId/deliveries')
export class DeliveriesController {
  constructor(
    private readonly reader: ResourceReader,
    private readonly lists: Lists,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  @ListOperation({
    scope: 'notifications:read',
    decorators: [NeedsTopicScopes('messages')],
    tag,
    summary: 'List the deliveries of a subscription',
    description: `Sorted by \`sequence\` by default, newest first. Test messages come last, the oldest one first. The list
omits the message and the answers of the destination; read a single delivery to get both.

- \`search=/occurred_dt>=2026-11-01\` finds the deliveries of events since a day.
- \`search=/attempts/*/error=timeout\` finds the deliveries with a certain error.

${MESSAGE_SCOPES}`,
    query: [...COLLECTION_PARAMETERS, ...attributeFilterParameters(notificationDeliveries)],
    schema: DELIVERY_SCHEMA,
  })
  async list(
    @Param('topicId', ItemId) topicId: number,
    @Param('subscriptionId', ItemId) subscriptionId: number,
    @Res() reply: FastifyReply,
    @Context() context: RequestContext,
  ): Promise<void> {
    await this.reader.mustExist(notificationSubscriptions, subscriptionId, topicId);
    await this.lists.send(notificationDeliveries, reply, context, { ownerId: subscriptionId });
  }

  @Get(':id')
  @RequiresScope('notifications:read')
  @NeedsTopicScopes('messages')
  @Operation({
    tag,
    summary: 'Read a delivery',
    description: `Contains the message exactly as it is signed and sent, and for each attempt the beginning of the
destination’s answer.

${MESSAGE_SCOPES}`,
    answer: { status: 200, description: 'The delivery with its attempts.', schema: DELIVERY_SCHEMA, headers: ['ETag'] },
  })
  async item(
    @Param('topicId', ItemId) topicId: number,
    @Param('subscriptionId', ItemId) subscriptionId: number,
    @Param('id', ItemId) id: number,
    @Res() reply: FastifyReply,
    @Context() context: RequestContext,
  ): Promise<void> {
    await this.reader.mustExist(notificationSubscriptions, subscriptionId, topicId);
    sendItem(reply, await this.reader.item(notificationDeliveries, id, context, { ownerId: subscriptionId }));
  }

  @Post(':id/redeliver')
  @RequiresScope('notifications:write')
  @ChangesItemOf(notificationSubscriptions, 'subscriptionId', 'topicId')
  @NeedsTopicScopes('messages')
  @Operation({
    tag,
    summary: 'Send a delivery again',
    description: `Sends the message again with the same \`message_id\`, body and sequence, and a new signature:

- A finished delivery becomes due at once, and its retry schedule starts again.
- A delivery that waits for a retry becomes due at once and keeps its place in the retry schedule.
- A delivery with a running attempt does not change, and no second attempt starts. Read the delivery again later, and
  repeat the request if the attempt failed.

${MESSAGE_SCOPES}`,
    errorCodes: REDELIVERY_ERROR_CODES,
    answer: {
      status: 202,
      description: 'The delivery as stored now.',
      schema: DELIVERY_SCHEMA,
      headers: ['ETag'],
    },
  })
  async redeliver(
    @Param('topicId', ItemId) topicId: number,
    @Param('subscriptionId', ItemId) subscriptionId: number,
    @Param('id', ItemId) id: number,
    @Res() reply: FastifyReply,
    @Context() context: RequestContext,
  ): Promise<void> {
    const answer = await this.unitOfWork.answer(context, async ({ transaction, settings }) => {
      await redeliver(transaction, { topicId, id: subscriptionId }, id);
      return {
        status: 202,
        headers: {},
        body: await readItem(transaction, notificationDeliveries, id, settings, subscriptionId),
      };
    });
    sendAnswer(reply, answer);
  }
}
