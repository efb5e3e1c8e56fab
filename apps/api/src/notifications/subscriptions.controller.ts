import {
  notificationSubscriptions,
  notificationTopics,
  type SubscriptionKey,
  subscriptionUrl,
  type WriteBody,
  writeSchema,
} from '@ats/domain';
import { Body, Controller, Delete, Get, Headers, Param, Patch, Post, Put, Req, Res, SetMetadata } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { itemChange } from '../collections/change-item.js';
import { itemBody, type PresentItem } from '../collections/item-body.js';
import { ListOperation } from '../collections/list-operation.js';
import { COLLECTION_PARAMETERS } from '../collections/page-parameters.js';
import { ChangesItemOf } from '../collections/owner.guard.js';
import { PATCH_NOTE, patchBody } from '../collections/patch-description.js';
import { RESOURCE } from '../collections/resource-controller.js';
import { Lists } from '../collections/lists.js';
import { ResourceReader } from '../collections/resource-reader.js';
import { type Precondition, UnitOfWork, type Work } from '../collections/unit-of-work.js';
import { created, done } from '../request/answer.js';
import { checkBody, isGiven } from '../request/body.js';
import { ItemId } from '../request/item-id.pipe.js';
import { Context, type RequestContext } from '../request/request-context.js';
import { Operation } from '../vocabulary/operation.js';
import { allows, RequiresScope } from '../vocabulary/scopes.js';
import { ShownKeys, SUBSCRIPTION_ANSWERS } from './shown-keys.js';
import { EXPRESSION_SCOPES, NeedsTopicScopes } from './topic-scopes.guard.js';
import { SubscriptionsService, valuesOf } from './subscriptions.service.js';

const schema = writeSchema(notificationSubscriptions.type);
const rules = {
  type: notificationSubscriptions.type,
  schema,
  // A body with `endpoint_id` needs no `destination_url`.
  alternatives: { destination_url: 'endpoint_id' },
};

const tag = notificationSubscriptions.name;
const example = { destination_url: 'https://hooks.example.com/ats', start_dt: '2027-01-01T00:00:00.000Z' };
const writeBody = { name: `${notificationSubscriptions.name}_write`, schema, example };

@SetMetadata(RESOURCE, notificationSubscriptions)
@Controller('api/v1/notification_topics/:topicId/subscriptions')
export class SubscriptionsController {
  constructor(
    private readonly reader: ResourceReader,
    private readonly lists: Lists,
    private readonly unitOfWork: UnitOfWork,
    private readonly subscriptions: SubscriptionsService,
    private readonly shown: ShownKeys,
  ) {}

  @ListOperation({
    scope: 'notifications:read',
    tag,
    summary: 'List the subscriptions of a topic',
    description: 'The list omits the signing keys. The owner of a subscription reads its keys in the single item.',
    query: COLLECTION_PARAMETERS,
    schema: SUBSCRIPTION_ANSWERS.inLists,
  })
  async list(
    @Param('topicId', ItemId) topicId: number,
    @Res() reply: FastifyReply,
    @Context() context: RequestContext,
  ): Promise<void> {
    await this.reader.mustExist(notificationTopics, topicId);
    await this.lists.send(notificationSubscriptions, reply, context, { ownerId: topicId });
  }

  @Get(':id')
  @RequiresScope('notifications:read')
  @Operation({ tag, summary: 'Read a subscription', answer: SUBSCRIPTION_ANSWERS.withKeys })
  async item(
    @Param('topicId', ItemId) topicId: number,
    @Param('id', ItemId) id: number,
    @Res() reply: FastifyReply,
    @Context() context: RequestContext,
  ): Promise<void> {
    const key = { topicId, id };
    const body = await this.unitOfWork.run(context, (work) => this.subscriptions.read(work, key));
    this.shown.send(context, reply, done({ body }));
  }

  @Post()
  @RequiresScope('notifications:create')
  @NeedsTopicScopes('expression')
  @Operation({
    tag,
    summary: 'Subscribe to a topic',
    description: `The service sends a message to \`destination_url\` for each matching event from \`start_dt\` on. The
credential owns the subscription. With \`endpoint_id\`, the subscription shares an endpoint, its destination and its key;
the credential must act for the owner of the endpoint, or have \`notifications:admin\`.

${EXPRESSION_SCOPES}`,
    body: writeBody,
    answer: { ...SUBSCRIPTION_ANSWERS.withNewKeys, status: 201, headers: ['Location', 'ETag'] },
  })
  async create(
    @Param('topicId', ItemId) topicId: number,
    @Body() given: unknown,
    @Res() reply: FastifyReply,
    @Context() context: RequestContext,
  ): Promise<void> {
    await this.reader.mustExist(notificationTopics, topicId);
    const values = await this.subscriptions.check({ ...checkBody<WriteBody>(schema, given), given });
    const answer = await this.unitOfWork.answer(context, async (work) => {
      const id = await this.subscriptions.create(work, topicId, values);
      const location = subscriptionUrl(work.settings.baseUrl, topicId, id);
      const made = isGiven(values.endpoint_id) ? undefined : 'new';
      return created(location, { body: await this.subscriptions.read(work, { topicId, id }, made) });
    });
    this.shown.send(context, reply, answer);
  }

  @Put(':id')
  @RequiresScope('notifications:write')
  @ChangesItemOf(notificationSubscriptions, 'id', 'topicId')
  @Operation({
    tag,
    summary: 'Replace a subscription',
    description: `The keys, the sequence and pending deliveries stay unchanged. With another \`endpoint_id\`, the
subscription gets the destination and the keys of that endpoint, and pending deliveries go there.`,
    body: { ...writeBody, isOfItem: true },
    answer: SUBSCRIPTION_ANSWERS.withKeys,
  })
  async replace(
    @Param('topicId', ItemId) topicId: number,
    @Param('id', ItemId) id: number,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Context() context: RequestContext,
  ): Promise<void> {
    await this.#change({ topicId, id }, request, reply, context);
  }

  @Patch(':id')
  @RequiresScope('notifications:write')
  @ChangesItemOf(notificationSubscriptions, 'id', 'topicId')
  @Operation({
    tag,
    summary: 'Change a subscription',
    description: PATCH_NOTE,
    body: patchBody(writeBody),
    answer: SUBSCRIPTION_ANSWERS.withKeys,
  })
  async update(
    @Param('topicId', ItemId) topicId: number,
    @Param('id', ItemId) id: number,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Context() context: RequestContext,
  ): Promise<void> {
    await this.#change({ topicId, id }, request, reply, context);
  }

  @Delete(':id')
  @RequiresScope('notifications:delete')
  @ChangesItemOf(notificationSubscriptions, 'id', 'topicId')
  @Operation({
    tag,
    summary: 'Delete a subscription',
    description: 'Also cancels all pending deliveries of the subscription.',
    answer: { status: 204, description: 'The subscription is deleted.' },
  })
  async remove(
    @Param('topicId', ItemId) topicId: number,
    @Param('id', ItemId) id: number,
    @Headers('if-match') ifMatch: string | undefined,
    @Res() reply: FastifyReply,
    @Context() context: RequestContext,
  ): Promise<void> {
    const key = { topicId, id };
    await this.unitOfWork.write(context, this.#precondition(ifMatch, key), (work) =>
      this.subscriptions.remove(work, key),
    );
    void reply.status(204).send();
  }

  /** Serves PUT and PATCH. Checks the destination before the transaction, which must not wait for name servers. */
  async #change(
    key: SubscriptionKey,
    request: FastifyRequest,
    reply: FastifyReply,
    context: RequestContext,
  ): Promise<void> {
    await this.reader.mustExist(notificationSubscriptions, key.id, key.topicId);
    const change = itemChange(request, context);
    // Reads the subscription without a lock. The check below waits for name servers, and a lock would block the
    // matching of all events meanwhile.
    const present = (): Promise<PresentItem> => this.unitOfWork.run(context, (work) => this.#present(work, key));
    const { endpoint_id } = await this.subscriptions.check(await itemBody(change, rules, present));
    const precondition = this.#precondition(request.headers['if-match'], key, endpoint_id);
    const body = await this.unitOfWork.write(context, precondition, async (work) => {
      await this.subscriptions.lock(work, key, endpoint_id);
      const wanted = await itemBody(change, rules, () => this.#present(work, key));
      const made = await this.subscriptions.replace(work, key, valuesOf(wanted));
      return this.subscriptions.read(work, key, made);
    });
    this.shown.send(context, reply, done({ body }));
  }

  async #present(work: Work, key: SubscriptionKey): Promise<PresentItem> {
    return { text: await this.subscriptions.read(work, key), isReadable: allows(work.scopes, 'notifications:read') };
  }

  #precondition(ifMatch: string | undefined, key: SubscriptionKey, joinedId?: number | null): Precondition {
    return {
      ifMatch,
      locked: async (work) => {
        await this.subscriptions.lock(work, key, joinedId);
        return [await this.subscriptions.read(work, key)];
      },
    };
  }
}
