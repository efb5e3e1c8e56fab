import { integerSchema, KEY_OVERLAP_SECONDS, notificationSubscriptions, type SubscriptionKey } from '@ats/domain';
import { Body, Controller, Param, Post, Res } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { z } from 'zod';
import { ResourceReader } from '../collections/resource-reader.js';
import { UnitOfWork, type Work } from '../collections/unit-of-work.js';
import { done } from '../request/answer.js';
import { parseBody } from '../request/body.js';
import { ItemId } from '../request/item-id.pipe.js';
import { Context, type RequestContext } from '../request/request-context.js';
import { Operation } from '../vocabulary/operation.js';
import { RequiresScope } from '../vocabulary/scopes.js';
import { answerWithKeys, ShownSubscription } from './shown-subscription.js';
import { SubscriptionsService } from './subscriptions.service.js';

const tag = notificationSubscriptions.name;

const rotationSchema = z.strictObject({
  overlap_s: integerSchema(0, KEY_OVERLAP_SECONDS.maximum)
    .default(KEY_OVERLAP_SECONDS.default)
    .describe('Seconds until the new key takes over; 0: at once.'),
});

/** What can be done with a subscription beside reading and writing it. Source: CONTRACT.md 8. */
@Controller('api/v1/notification_topics/:topicId/subscriptions/:id')
export class SubscriptionActionsController {
  constructor(
    private readonly reader: ResourceReader,
    private readonly unitOfWork: UnitOfWork,
    private readonly subscriptions: SubscriptionsService,
    private readonly shown: ShownSubscription,
  ) {}

  /** A disabled subscription goes on, beginning with what was held. */
  @Post('enable')
  @RequiresScope('notifications:write')
  @Operation({
    tag,
    summary: 'Enable a subscription',
    description: 'It goes on, beginning with the messages that were held.',
    answer: answerWithKeys,
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

  /** From now on messages are held instead of sent. */
  @Post('disable')
  @RequiresScope('notifications:write')
  @Operation({
    tag,
    summary: 'Disable a subscription',
    description: 'From now on messages are held instead of sent.',
    answer: answerWithKeys,
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
  @Operation({
    tag,
    summary: 'Give a subscription a new signing key',
    description: `Until the overlap ends, \`x-service-notify-signature\` is made with the old key and \`x-service-notify-signature-next\` with the new one, and
\`webhook-signature\` has both; \`next_signing_key\` and \`next_key_from_dt\` say which key comes and when. Afterwards there is the new key alone. Asking again during an overlap replaces the key that
was to come. With \`"overlap_s": 0\` the old key is gone at once: for one that has become known. Without a body the overlap is a day.`,
    body: {
      name: 'notification_key_rotation',
      schema: rotationSchema,
      example: { overlap_s: 86_400 },
      isOptional: true,
    },
    answer: answerWithKeys,
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
    const { overlap_s } = parseBody(notificationSubscriptions.name, rotationSchema, given === undefined ? {} : given);
    await this.#act(context, reply, {
      key,
      act: (work) => this.subscriptions.rotateKey(work, key, overlap_s),
    });
  }

  async #act(
    context: RequestContext,
    reply: FastifyReply,
    { key, act }: { readonly key: SubscriptionKey; readonly act: (work: Work) => Promise<void> },
  ): Promise<void> {
    const answer = await this.unitOfWork.answer(context, async (work) => {
      await act(work);
      return done({ body: await this.subscriptions.read(work, key) });
    });
    this.shown.send(context, reply, answer);
  }
}
