import { notificationSubscriptions, type SubscriptionKey } from '@ats/domain';
import { Body, Controller, Param, Post, Res } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { ResourceReader } from '../collections/resource-reader.js';
import { ChangesItemOf } from '../collections/owner.guard.js';
import { UnitOfWork, type Work } from '../collections/unit-of-work.js';
import { done } from '../request/answer.js';
import { ItemId } from '../request/item-id.pipe.js';
import { Context, type RequestContext } from '../request/request-context.js';
import { Operation } from '../vocabulary/operation.js';
import { RequiresScope } from '../vocabulary/scopes.js';
import { parseOverlap, ROTATION_BODY, ROTATION_TEXT, SECOND_ROTATION_TEXT } from './key-rotation.dto.js';
import { ShownKeys, SUBSCRIPTION_ANSWERS } from './shown-keys.js';
import { EXPRESSION_SCOPES, NeedsTopicScopes } from './topic-scopes.guard.js';
import { SubscriptionsService } from './subscriptions.service.js';

const tag = notificationSubscriptions.name;

/** Serves the actions on a subscription. Source: docs/reference/notifications.md, "Disabled subscriptions". */
@Controller('api/v1/notification_topics/:topicId/subscriptions/:id')
export class SubscriptionActionsController {
  constructor(
    private readonly reader: ResourceReader,
    private readonly unitOfWork: UnitOfWork,
    private readonly subscriptions: SubscriptionsService,
    private readonly shown: ShownKeys,
  ) {}

  @Post('enable')
  @RequiresScope('notifications:write')
  @ChangesItemOf(notificationSubscriptions, 'id', 'topicId')
  @NeedsTopicScopes('expression')
  @Operation({
    tag,
    summary: 'Enable a subscription',
    description: `Sending continues, first with the held messages in the order of their sequence.

${EXPRESSION_SCOPES}`,
    answer: SUBSCRIPTION_ANSWERS.withKeys,
  })
  async enable(
    @Param('topicId', ItemId) topicId: number,
    @Param('id', ItemId) id: number,
    @Res() reply: FastifyReply,
    @Context() context: RequestContext,
  ): Promise<void> {
    const key = { topicId, id };
    await this.#act(context, reply, { key, act: (work) => this.subscriptions.enable(work, key) });
  }

  @Post('disable')
  @RequiresScope('notifications:write')
  @ChangesItemOf(notificationSubscriptions, 'id', 'topicId')
  @Operation({
    tag,
    summary: 'Disable a subscription',
    description: 'Messages are held from now on, until the subscription is enabled.',
    answer: SUBSCRIPTION_ANSWERS.withKeys,
  })
  async disable(
    @Param('topicId', ItemId) topicId: number,
    @Param('id', ItemId) id: number,
    @Res() reply: FastifyReply,
    @Context() context: RequestContext,
  ): Promise<void> {
    const key = { topicId, id };
    await this.#act(context, reply, { key, act: (work) => this.subscriptions.disable(work, key) });
  }

  @Post('rotate_key')
  @RequiresScope('notifications:write')
  @ChangesItemOf(notificationSubscriptions, 'id', 'topicId')
  @Operation({
    tag,
    summary: 'Give a subscription a new signing key',
    description: `${ROTATION_TEXT}

The subscriptions of a shared endpoint have one key, so all of them get the new one. The credential must then act for
the owner of the endpoint, or have \`notifications:admin\`.

${SECOND_ROTATION_TEXT}`,
    body: ROTATION_BODY,
    answer: SUBSCRIPTION_ANSWERS.withNewKeys,
  })
  async rotateKey(
    @Param('topicId', ItemId) topicId: number,
    @Param('id', ItemId) id: number,
    @Body() given: unknown,
    @Res() reply: FastifyReply,
    @Context() context: RequestContext,
  ): Promise<void> {
    const key = { topicId, id };
    await this.reader.mustExist(notificationSubscriptions, id, topicId);
    const overlap = parseOverlap(notificationSubscriptions.name, given);
    await this.#act(context, reply, {
      key,
      act: (work) => this.subscriptions.rotateKey(work, key, overlap),
      made: 'new',
    });
  }

  async #act(
    context: RequestContext,
    reply: FastifyReply,
    { key, act, made }: { readonly key: SubscriptionKey; readonly act: (work: Work) => Promise<void>; made?: 'new' },
  ): Promise<void> {
    const answer = await this.unitOfWork.answer(context, async (work) => {
      await act(work);
      return done({ body: await this.subscriptions.read(work, key, made) });
    });
    this.shown.send(context, reply, answer);
  }
}
