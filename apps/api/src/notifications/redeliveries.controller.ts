import {
  createRedelivery,
  notificationRedeliveries,
  notificationSubscriptions,
  readItem,
  representationSchema,
} from '@ats/domain';
import { Body, Controller, Get, Param, Post, Res, SetMetadata } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { ListOperation } from '../collections/list-operation.js';
import { COLLECTION_PARAMETERS } from '../collections/page-parameters.js';
import { RESOURCE } from '../collections/resource-controller.js';
import { ChangesItemOf } from '../collections/owner.guard.js';
import { Lists } from '../collections/lists.js';
import { ResourceReader } from '../collections/resource-reader.js';
import { UnitOfWork } from '../collections/unit-of-work.js';
import { accepted, sendAnswer, sendItem } from '../request/answer.js';
import { ItemId } from '../request/item-id.pipe.js';
import { Context, type RequestContext } from '../request/request-context.js';
import { Operation } from '../vocabulary/operation.js';
import { RequiresScope } from '../vocabulary/scopes.js';
import { EXPRESSION_SCOPES, NeedsTopicScopes } from './topic-scopes.guard.js';
import { parseRedelivery, redeliverySchema } from './redelivery.dto.js';

const tag = notificationRedeliveries.name;
const LIST_OF_DELIVERIES = '#operation/notification_deliveries.list';
const schema = { name: notificationRedeliveries.name, schema: representationSchema(notificationRedeliveries) };

/** Serves the redeliveries of a subscription. Source: docs/reference/notifications.md, "Redelivery". */
@SetMetadata(RESOURCE, notificationRedeliveries)
@Controller('api/v1/notification_topics/:topicId/subscriptions/:subscriptionId')
export class RedeliveriesController {
  constructor(
    private readonly reader: ResourceReader,
    private readonly lists: Lists,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  @Post('redeliver')
  @RequiresScope('notifications:write')
  @ChangesItemOf(notificationSubscriptions, 'subscriptionId', 'topicId')
  @NeedsTopicScopes('expression')
  @Operation({
    tag,
    action: 'create',
    summary: 'Send all messages since a time again',
    description: `Sends the messages of all events from \`since_dt\` (inclusive) to \`until_dt\` (exclusive, defaults to
now) again. The messages keep their order, \`message_id\`, body and sequence. \`status\` limits the redelivery to
deliveries with that status, such as \`"status": "exhausted"\` for deliveries whose last attempt failed. Without
\`status\`, delivered messages are sent again, too.

The redelivery runs in the background, in batches, so that new messages do not wait for it. Read its progress at the
address in \`Location\`. To know the number of deliveries beforehand, read \`X-Total-Count\` of the
[list of deliveries](${LIST_OF_DELIVERIES}).

${EXPRESSION_SCOPES}`,
    body: {
      name: 'notification_redelivery_write',
      schema: redeliverySchema,
      example: { since_dt: '2026-11-20T00:00:00.000Z', status: 'exhausted' },
    },
    errorCodes: notificationRedeliveries.type.errorCodes,
    answer: {
      status: 202,
      description: 'The redelivery is stored and runs in the background.',
      schema,
      headers: ['Location', 'ETag'],
    },
  })
  async create(
    @Param('topicId', ItemId) topicId: number,
    @Param('subscriptionId', ItemId) subscriptionId: number,
    @Body() given: unknown,
    @Res() reply: FastifyReply,
    @Context() context: RequestContext,
  ): Promise<void> {
    await this.reader.mustExist(notificationSubscriptions, subscriptionId, topicId);
    const range = parseRedelivery(given);
    const answer = await this.unitOfWork.answer(context, async ({ transaction, settings }) => {
      const id = await createRedelivery(transaction, { topicId, id: subscriptionId }, range);
      const body = await readItem(transaction, notificationRedeliveries, id, settings, subscriptionId);
      return accepted(body);
    });
    sendAnswer(reply, answer);
  }

  @ListOperation({
    path: 'redeliveries',
    scope: 'notifications:read',
    tag,
    summary: 'List the redeliveries of a subscription',
    description: 'By default, the newest redelivery comes first.',
    query: COLLECTION_PARAMETERS,
    schema,
  })
  async list(
    @Param('topicId', ItemId) topicId: number,
    @Param('subscriptionId', ItemId) subscriptionId: number,
    @Res() reply: FastifyReply,
    @Context() context: RequestContext,
  ): Promise<void> {
    await this.reader.mustExist(notificationSubscriptions, subscriptionId, topicId);
    await this.lists.send(notificationRedeliveries, reply, context, { ownerId: subscriptionId });
  }

  @Get('redeliveries/:id')
  @RequiresScope('notifications:read')
  @Operation({
    tag,
    summary: 'Read the progress of a redelivery',
    answer: { status: 200, description: 'The redelivery with its progress.', schema, headers: ['ETag'] },
  })
  async item(
    @Param('topicId', ItemId) topicId: number,
    @Param('subscriptionId', ItemId) subscriptionId: number,
    @Param('id', ItemId) id: number,
    @Res() reply: FastifyReply,
    @Context() context: RequestContext,
  ): Promise<void> {
    await this.reader.mustExist(notificationSubscriptions, subscriptionId, topicId);
    sendItem(reply, await this.reader.item(notificationRedeliveries, id, context, { ownerId: subscriptionId }));
  }
}
