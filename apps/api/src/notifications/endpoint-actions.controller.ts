import {
  disableSubscriptions,
  enableSubscriptions,
  lockSubscriptionsOf,
  notificationEndpoints,
  readTopicsOf,
  type SubscriptionKey,
  ValidationError,
} from '@ats/domain';
import { message } from '@ats/message';
import { Body, Controller, Param, Post, Res } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { ChangesItemOf } from '../collections/owner.guard.js';
import { pathsOf } from '../collections/resource-controller.js';
import { ResourceReader } from '../collections/resource-reader.js';
import { UnitOfWork, type Work } from '../collections/unit-of-work.js';
import { done, sendAnswer } from '../request/answer.js';
import { ItemId } from '../request/item-id.pipe.js';
import { Context, type RequestContext } from '../request/request-context.js';
import { codesOf, Operation } from '../vocabulary/operation.js';
import { RequiresScope } from '../vocabulary/scopes.js';
import { EndpointsService } from './endpoints.service.js';
import { parseOverlap, ROTATION_BODY, SECOND_ROTATION_TEXT } from './key-rotation.dto.js';
import { PING_ANSWER, Pings } from './pings.js';
import { ShownHealth } from './shown-health.js';
import { ENDPOINT_ANSWERS, ShownKeys } from './shown-keys.js';
import { checkTopicScopes } from './topic-expression.js';

const tag = notificationEndpoints.name;
const NO_SUBSCRIPTIONS = 'no_subscriptions';

/** Serves the actions on an endpoint. Source: docs/reference/notifications.md, "Actions on an endpoint". */
@Controller(pathsOf(notificationEndpoints).map((path) => `${path}/:id`))
export class EndpointActionsController {
  constructor(
    private readonly reader: ResourceReader,
    private readonly unitOfWork: UnitOfWork,
    private readonly endpoints: EndpointsService,
    private readonly pings: Pings,
    private readonly shown: ShownKeys,
    private readonly health: ShownHealth,
  ) {}

  @Post('enable')
  @RequiresScope('notifications:write')
  @ChangesItemOf(notificationEndpoints)
  @Operation({
    tag,
    summary: 'Enable the subscriptions of an endpoint',
    description: `Enables every disabled subscription of the endpoint. Sending continues, first with the held messages of
each subscription in the order of their sequence.

Needs the read scope of every resource that the expressions of the topics read, as creating the topics does.`,
    answer: ENDPOINT_ANSWERS.withKeys,
  })
  async enable(
    @Param('id', ItemId) id: number,
    @Res() reply: FastifyReply,
    @Context() context: RequestContext,
  ): Promise<void> {
    await this.#act(context, reply, id, async ({ transaction, scopes }, ids) => {
      for (const topic of await readTopicsOf(transaction, { endpointId: id })) checkTopicScopes(scopes, topic, false);
      await enableSubscriptions(transaction, ids);
    });
  }

  @Post('disable')
  @RequiresScope('notifications:write')
  @ChangesItemOf(notificationEndpoints)
  @Operation({
    tag,
    summary: 'Disable the subscriptions of an endpoint',
    description: `Disables every subscription of the endpoint. Their messages are held from now on, until they are
enabled. Subscriptions that join the endpoint later are not disabled.`,
    answer: ENDPOINT_ANSWERS.withKeys,
  })
  async disable(
    @Param('id', ItemId) id: number,
    @Res() reply: FastifyReply,
    @Context() context: RequestContext,
  ): Promise<void> {
    await this.#act(context, reply, id, ({ transaction, recruiterId, settings }, ids) =>
      disableSubscriptions(transaction, ids, 'requested', { recruiterId, settings }),
    );
  }

  @Post('rotate_key')
  @RequiresScope('notifications:write')
  @ChangesItemOf(notificationEndpoints)
  @Operation({
    tag,
    summary: 'Give an endpoint a new signing key',
    description: `Creates a new key for all subscriptions of the endpoint. The overlap and the headers of messages are
those of \`POST /notification_topics/<id>/subscriptions/<id>/rotate_key\`.

${SECOND_ROTATION_TEXT}`,
    body: ROTATION_BODY,
    answer: ENDPOINT_ANSWERS.withNewKeys,
  })
  async rotateKey(
    @Param('id', ItemId) id: number,
    @Body() given: unknown,
    @Res() reply: FastifyReply,
    @Context() context: RequestContext,
  ): Promise<void> {
    await this.reader.mustExist(notificationEndpoints, id);
    const overlap = parseOverlap(notificationEndpoints.name, given);
    await this.#act(context, reply, id, (work) => this.endpoints.rotateKey(work, id, overlap), 'new');
  }

  @Post('ping')
  @RequiresScope('notifications:write')
  @ChangesItemOf(notificationEndpoints)
  @Operation({
    tag,
    summary: 'Send a test message to an endpoint',
    description: `Sends one test message for the oldest subscription of the endpoint, as
\`POST /notification_topics/<id>/subscriptions/<id>/ping\` does. Its result affects nothing.`,
    errorCodes: codesOf(notificationEndpoints, [NO_SUBSCRIPTIONS]),
    answer: PING_ANSWER,
  })
  async ping(
    @Param('id', ItemId) id: number,
    @Res() reply: FastifyReply,
    @Context() context: RequestContext,
  ): Promise<void> {
    const { destination_url, subscriptions } = JSON.parse(
      await this.reader.item(notificationEndpoints, id, context),
    ) as {
      readonly destination_url: string | null;
      readonly subscriptions: readonly { readonly id: number; readonly topic: { readonly id: number } }[];
    };
    const [oldest] = subscriptions.map((one): SubscriptionKey => ({ topicId: one.topic.id, id: one.id }));
    if (!oldest) {
      const info = message`a test message needs a subscription, and the endpoint has none: create one first`;
      throw new ValidationError(notificationEndpoints.name, [{ path: '', code: NO_SUBSCRIPTIONS, info }]);
    }
    const options = { subscription: oldest, destinationUrl: destination_url, resource: notificationEndpoints.name };
    sendAnswer(reply, await this.pings.send(context, options));
  }

  /**
   * Locks an endpoint and its subscriptions, changes them and answers with the endpoint.
   * @param act  makes the change
   */
  async #act(
    context: RequestContext,
    reply: FastifyReply,
    id: number,
    act: (work: Work, subscriptionIds: readonly number[]) => Promise<void>,
    made?: 'new',
  ): Promise<void> {
    const answer = await this.unitOfWork.answer(context, async (work) => {
      const subscriptions = await lockSubscriptionsOf(work.transaction, id);
      await act(
        work,
        subscriptions.map((one) => one.id),
      );
      const { body, headers } = await this.health.inWork(await this.endpoints.read(work, id, made), work);
      return { ...done({ body }), headers };
    });
    this.shown.send(context, reply, answer, 'endpoint_id');
  }
}
