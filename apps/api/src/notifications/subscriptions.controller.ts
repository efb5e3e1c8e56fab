import {
  lockSubscription,
  notificationSubscriptions,
  NotFoundError,
  notificationTopics,
  representationSchema,
  type StoredAnswer,
  subscriptionUrl,
  withProperties,
  type WriteBody,
  writeSchema,
} from '@ats/domain';
import { Body, Controller, Delete, Get, Headers, Logger, Param, Post, Put, Req, Res, SetMetadata } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { sendAnswer } from '../http/answer.js';
import { parseBody } from '../http/body.js';
import { ItemId } from '../http/item-id.pipe.js';
import { Operation } from '../http/operation.js';
import { COLLECTION_PARAMETERS } from '../http/page-parameters.js';
import { ReadsQuery } from '../http/query.js';
import { Context, type RequestContext } from '../http/request-context.js';
import { RESOURCE } from '../http/resource-controller.js';
import { ResourceReader, sendPage } from '../http/resource-reader.js';
import { RequiresScope } from '../http/scopes.js';
import { checkPrecondition, UnitOfWork, type Work } from '../http/unit-of-work.js';
import { SubscriptionsService, type SubscriptionKey } from './subscriptions.service.js';

const schema = writeSchema(notificationSubscriptions.type);
const TYPE = notificationSubscriptions.type.name;

const tag = notificationSubscriptions.name;
const listed = { name: notificationSubscriptions.name, schema: representationSchema(notificationSubscriptions) };
const withKeys = {
  name: `${notificationSubscriptions.name}_with_keys`,
  schema: withProperties(listed.schema, {
    signing_key: { type: 'string', pattern: '^[0-9a-f]{64}$', description: 'Key of the signatures: this text itself, not the bytes it spells.' },
    standard_webhooks_secret: { type: 'string', description: 'The same key as libraries of Standard Webhooks take it.' },
    next_signing_key: { type: ['string', 'null'], description: 'During a rotation, the key that takes over.' },
    next_key_from_dt: { type: ['string', 'null'], format: 'date-time' },
  }),
};
const answerWithKeys = { status: 200, description: 'The subscription with its keys.', schema: withKeys, headers: ['ETag'] } as const;
const example = { destination_url: 'https://hooks.example.com/ats', start_dt: '2027-01-01T00:00:00.000Z' };
const writeBody = { name: `${notificationSubscriptions.name}_write`, schema, example };

@SetMetadata(RESOURCE, notificationSubscriptions)
@Controller('api/v1/notification_topics/:topicId/subscriptions')
export class SubscriptionsController {
  readonly #logger = new Logger('subscriptions');

  constructor(
    private readonly reader: ResourceReader,
    private readonly unitOfWork: UnitOfWork,
    private readonly subscriptions: SubscriptionsService,
  ) {}

  /** Without the signing keys: those are for who fetches one subscription. */
  @Get()
  @RequiresScope('notifications:read')
  @ReadsQuery()
  @Operation({
    tag,
    summary: 'List the subscriptions of a topic',
    description: 'Without signing keys: read one subscription to get its own.',
    query: COLLECTION_PARAMETERS,
    answer: { status: 200, description: 'One page.', schema: { ...listed, isList: true }, headers: ['Link', 'X-Total-Count'] },
  })
  async list(
    @Param('topicId', ItemId) topicId: number,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Context() context: RequestContext,
  ): Promise<void> {
    await this.reader.item(notificationTopics, topicId, context);
    const body = await this.reader.page(notificationSubscriptions, request, reply, context, topicId);
    sendPage(reply, body);
  }

  @Get(':id')
  @RequiresScope('notifications:read')
  @Operation({ tag, summary: 'Read a subscription', answer: answerWithKeys })
  async item(
    @Param('topicId', ItemId) topicId: number,
    @Param('id', ItemId) id: number,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Context() context: RequestContext,
  ): Promise<void> {
    const key = { topicId, id };
    const body = await this.unitOfWork.run(context, (work) => this.subscriptions.read(work, key));
    this.#send(context, request, reply, { status: 200, headers: {}, body });
  }

  @Post()
  @RequiresScope('notifications:write')
  @Operation({
    tag,
    summary: 'Subscribe to a topic',
    description: 'From `start_dt` on, matching events are posted to `destination_url`.',
    body: writeBody,
    answer: { ...answerWithKeys, status: 201, headers: ['Location', 'ETag'] },
  })
  async create(
    @Param('topicId', ItemId) topicId: number,
    @Body() given: unknown,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Context() context: RequestContext,
  ): Promise<void> {
    await this.reader.item(notificationTopics, topicId, context);
    const values = await this.subscriptions.check(parseBody<WriteBody>(notificationSubscriptions.name, schema, given));
    const answer = await this.unitOfWork.answer(context, async (work) => {
      const id = await this.subscriptions.create(work, topicId, values);
      const location = subscriptionUrl(work.settings.baseUrl, topicId, id);
      return { status: 201, headers: { location }, body: await this.subscriptions.read(work, { topicId, id }) };
    });
    this.#send(context, request, reply, answer);
  }

  @Put(':id')
  @RequiresScope('notifications:write')
  @Operation({ tag, summary: 'Replace a subscription', description: 'Its keys, its sequence and what is pending stay.', body: writeBody, answer: answerWithKeys })
  async replace(
    @Param('topicId', ItemId) topicId: number,
    @Param('id', ItemId) id: number,
    @Body() given: unknown,
    @Headers('if-match') ifMatch: string | undefined,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Context() context: RequestContext,
  ): Promise<void> {
    const key = { topicId, id };
    await this.reader.item(notificationSubscriptions, id, context, topicId);
    const values = await this.subscriptions.check(parseBody<WriteBody>(notificationSubscriptions.name, schema, given));
    const body = await this.unitOfWork.run(context, async (work) => {
      await checkPrecondition(work, ifMatch, async () => [await this.#locked(work, key)]);
      await this.subscriptions.replace(work, key, values);
      return this.subscriptions.read(work, key);
    });
    this.#send(context, request, reply, { status: 200, headers: {}, body });
  }

  @Delete(':id')
  @RequiresScope('notifications:write')
  @Operation({
    tag,
    summary: 'Delete a subscription',
    description: 'What is pending is cancelled.',
    answer: { status: 204, description: 'It is done.' },
  })
  async remove(
    @Param('topicId', ItemId) topicId: number,
    @Param('id', ItemId) id: number,
    @Headers('if-match') ifMatch: string | undefined,
    @Res() reply: FastifyReply,
    @Context() context: RequestContext,
  ): Promise<void> {
    const key = { topicId, id };
    await this.unitOfWork.run(context, async (work) => {
      await checkPrecondition(work, ifMatch, async () => [await this.#locked(work, key)]);
      await this.subscriptions.remove(work, key);
    });
    void reply.status(204).send();
  }

  /** A disabled subscription goes on, beginning with what was held. */
  @Post(':id/enable')
  @RequiresScope('notifications:write')
  @Operation({ tag, summary: 'Enable a subscription', description: 'It goes on, beginning with the messages that were held.', answer: answerWithKeys })
  async enable(
    @Param('topicId', ItemId) topicId: number,
    @Param('id', ItemId) id: number,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Context() context: RequestContext,
  ): Promise<void> {
    const key = { topicId, id };
    const answer = await this.unitOfWork.answer(context, async (work) => {
      await this.subscriptions.enable(work, key);
      return { status: 200, headers: {}, body: await this.subscriptions.read(work, key) };
    });
    this.#send(context, request, reply, answer);
  }

  /** From now on messages are held instead of sent. */
  @Post(':id/disable')
  @RequiresScope('notifications:write')
  @Operation({ tag, summary: 'Disable a subscription', description: 'From now on messages are held instead of sent.', answer: answerWithKeys })
  async disable(
    @Param('topicId', ItemId) topicId: number,
    @Param('id', ItemId) id: number,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Context() context: RequestContext,
  ): Promise<void> {
    const key = { topicId, id };
    const answer = await this.unitOfWork.answer(context, async (work) => {
      await this.subscriptions.disable(work, key);
      return { status: 200, headers: {}, body: await this.subscriptions.read(work, key) };
    });
    this.#send(context, request, reply, answer);
  }

  async #locked(work: Work, key: SubscriptionKey): Promise<string> {
    if (!(await lockSubscription(work.transaction, key))) throw new NotFoundError(TYPE, key.id);
    return this.subscriptions.read(work, key);
  }

  /** Reading a signing key is logged. CONTRACT.md 8. */
  #send({ actor }: RequestContext, request: FastifyRequest, reply: FastifyReply, answer: StoredAnswer): void {
    const { url } = JSON.parse(answer.body) as { readonly url: string };
    this.#logger.log(`credential ${actor.keyId} was shown the signing key of ${url}`);
    sendAnswer(request, reply.header('cache-control', 'no-store'), answer);
  }
}
