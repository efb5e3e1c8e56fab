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
import { COLLECTION_PARAMETERS } from '../collections/page-parameters.js';
import { RESOURCE } from '../collections/resource-controller.js';
import { ResourceReader } from '../collections/resource-reader.js';
import { UnitOfWork } from '../collections/unit-of-work.js';
import { sendAnswer, sendItem, sendPage } from '../request/answer.js';
import { ItemId } from '../request/item-id.pipe.js';
import { ReadsQuery } from '../request/query.js';
import { Context, type RequestContext } from '../request/request-context.js';
import { Operation } from '../vocabulary/operation.js';
import { RequiresScope } from '../vocabulary/scopes.js';

const tag = notificationDeliveries.name;
export const DELIVERY_SCHEMA = {
  name: notificationDeliveries.name,
  schema: representationSchema(notificationDeliveries),
};

/** What was sent to a subscription, with what came of it. Source: CONTRACT.md 8 and 11. */
@SetMetadata(RESOURCE, notificationDeliveries)
@Controller('api/v1/notification_topics/:topicId/subscriptions/:subscriptionId/deliveries')
export class DeliveriesController {
  constructor(
    private readonly reader: ResourceReader,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  @Get()
  @RequiresScope('notifications:read')
  @ReadsQuery()
  @Operation({
    tag,
    summary: 'List the deliveries of a subscription',
    description:
      'By `sequence`, the newest first and test messages last, unless `sort` says otherwise. `search=/occurred_dt>=2026-11-01` finds those of events since a day, `search=/attempts/*/error=timeout` those that met an error. What a destination answered, and the message itself, are where a single delivery is read.',
    query: [...COLLECTION_PARAMETERS, ...attributeFilterParameters(notificationDeliveries)],
    answer: {
      status: 200,
      description: 'One page.',
      schema: { ...DELIVERY_SCHEMA, isList: true },
      headers: ['Link', 'X-Total-Count'],
    },
  })
  async list(
    @Param('topicId', ItemId) topicId: number,
    @Param('subscriptionId', ItemId) subscriptionId: number,
    @Res() reply: FastifyReply,
    @Context() context: RequestContext,
  ): Promise<void> {
    await this.reader.mustExist(notificationSubscriptions, subscriptionId, topicId);
    sendPage(reply, await this.reader.page(notificationDeliveries, reply, context, { ownerId: subscriptionId }));
  }

  @Get(':id')
  @RequiresScope('notifications:read')
  @Operation({
    tag,
    summary: 'Read a delivery',
    description:
      'With the message as it is signed and sent, and of each attempt the beginning of what the destination answered.',
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
    sendItem(reply, await this.reader.item(notificationDeliveries, id, context, subscriptionId));
  }

  @Post(':id/redeliver')
  @RequiresScope('notifications:write')
  @Operation({
    tag,
    summary: 'Send a delivery again',
    description: `The same message with the same \`message_id\`, body and sequence, signed anew, whatever came of it before:

- one that is finished is due at once, with the whole schedule before it;
- one that waits for a retry is due at once and goes on in its schedule;
- one whose attempt is under way stays as it is: that attempt is the answer, and no second one runs beside it. Look at the delivery again, and ask again if it failed.`,
    errorCodes: REDELIVERY_ERROR_CODES,
    answer: { status: 202, description: 'The delivery as it is now.', schema: DELIVERY_SCHEMA, headers: ['ETag'] },
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
