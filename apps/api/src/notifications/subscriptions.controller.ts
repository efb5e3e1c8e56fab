import { lockSubscription, notificationSubscriptions, NotFoundError, notificationTopics, type WriteBody, writeSchema } from '@ats/domain';
import { Body, Controller, Delete, Get, Headers, Logger, Param, Post, Put, Req, Res } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { parseBody } from '../http/body.js';
import { ItemId } from '../http/item-id.pipe.js';
import { Problem } from '../http/problem.js';
import { ReadsQuery } from '../http/query.js';
import { Context, type RequestContext } from '../http/request-context.js';
import { entityTag, matchesTag, ResourceReader, sendItem } from '../http/resource-reader.js';
import { RequiresScope } from '../http/scopes.js';
import { UnitOfWork, type Work } from '../http/unit-of-work.js';
import { SubscriptionsService, type SubscriptionKey } from './subscriptions.service.js';

const schema = writeSchema(notificationSubscriptions.type);
const TYPE = notificationSubscriptions.type.name;

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
  async list(
    @Param('topicId', ItemId) topicId: number,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Context() context: RequestContext,
  ): Promise<void> {
    await this.reader.item(notificationTopics, topicId, context);
    const body = await this.reader.page(notificationSubscriptions, request, reply, context, topicId);
    void reply.header('content-type', 'application/json; charset=utf-8').send(body);
  }

  @Get(':id')
  @RequiresScope('notifications:read')
  async item(
    @Param('topicId', ItemId) topicId: number,
    @Param('id', ItemId) id: number,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Context() context: RequestContext,
  ): Promise<void> {
    const key = { topicId, id };
    this.#send(key, context, request, reply, await this.unitOfWork.run(context, (work) => this.subscriptions.read(work, key)));
  }

  @Post()
  @RequiresScope('notifications:write')
  async create(
    @Param('topicId', ItemId) topicId: number,
    @Body() given: unknown,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Context() context: RequestContext,
  ): Promise<void> {
    await this.reader.item(notificationTopics, topicId, context);
    const body = parseBody<WriteBody>(TYPE, schema, given);
    const { key, text } = await this.unitOfWork.run(context, async (work) => {
      const created = { topicId, id: await this.subscriptions.create(work, topicId, body) };
      return { key: created, text: await this.subscriptions.read(work, created) };
    });
    const { url } = JSON.parse(text) as { readonly url: string };
    this.#send(key, context, request, reply.status(201).header('location', url), text);
  }

  @Put(':id')
  @RequiresScope('notifications:write')
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
    const body = parseBody<WriteBody>(TYPE, schema, given);
    const text = await this.unitOfWork.run(context, async (work) => {
      await this.#checkPrecondition(work, key, ifMatch);
      await this.subscriptions.replace(work, key, body);
      return this.subscriptions.read(work, key);
    });
    this.#send(key, context, request, reply, text);
  }

  @Delete(':id')
  @RequiresScope('notifications:write')
  async remove(
    @Param('topicId', ItemId) topicId: number,
    @Param('id', ItemId) id: number,
    @Headers('if-match') ifMatch: string | undefined,
    @Res() reply: FastifyReply,
    @Context() context: RequestContext,
  ): Promise<void> {
    const key = { topicId, id };
    await this.unitOfWork.run(context, async (work) => {
      await this.#checkPrecondition(work, key, ifMatch);
      await this.subscriptions.remove(work, key);
    });
    void reply.status(204).send();
  }

  /** A disabled subscription goes on, beginning with what was held. */
  @Post(':id/enable')
  @RequiresScope('notifications:write')
  async enable(
    @Param('topicId', ItemId) topicId: number,
    @Param('id', ItemId) id: number,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Context() context: RequestContext,
  ): Promise<void> {
    const key = { topicId, id };
    const text = await this.unitOfWork.run(context, async (work) => {
      await this.subscriptions.enable(work, key);
      return this.subscriptions.read(work, key);
    });
    this.#send(key, context, request, reply.status(200), text);
  }

  /** From now on messages are held instead of sent. */
  @Post(':id/disable')
  @RequiresScope('notifications:write')
  async disable(
    @Param('topicId', ItemId) topicId: number,
    @Param('id', ItemId) id: number,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Context() context: RequestContext,
  ): Promise<void> {
    const key = { topicId, id };
    const text = await this.unitOfWork.run(context, async (work) => {
      await this.subscriptions.disable(work, key);
      return this.subscriptions.read(work, key);
    });
    this.#send(key, context, request, reply.status(200), text);
  }

  async #checkPrecondition(work: Work, key: SubscriptionKey, ifMatch: string | undefined): Promise<void> {
    if (ifMatch === undefined) return;
    if (!(await lockSubscription(work.transaction, key))) throw new NotFoundError(TYPE, key.id);
    if (matchesTag(ifMatch, entityTag(await this.subscriptions.read(work, key)))) return;
    throw new Problem(412, 'The item has changed since: read it again before writing it');
  }

  /** Reading a signing key is logged. CONTRACT.md 8. */
  #send(key: SubscriptionKey, { actor }: RequestContext, request: FastifyRequest, reply: FastifyReply, text: string): void {
    this.#logger.log(`the signing key of subscription ${key.id} was read by credential ${actor.keyId}`);
    sendItem(request, reply.header('cache-control', 'no-store'), text);
  }
}
