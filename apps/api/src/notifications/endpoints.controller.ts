import { lockEndpointRow, notificationEndpoints, resourceUrl, type WriteBody } from '@ats/domain';
import { Body, Controller, Delete, Get, Headers, Param, Patch, Post, Put, Req, Res, SetMetadata } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { attributeFilterParameters } from '../collections/attribute-filters.js';
import { limitedTo } from '../collections/fields-parameter.js';
import { itemChange } from '../collections/change-item.js';
import { itemBody, type PresentItem } from '../collections/item-body.js';
import { CountsOperation, GroupCounts } from '../collections/group-counts.js';
import { ListOperation } from '../collections/list-operation.js';
import { ChangesItemOf } from '../collections/owner.guard.js';
import { COLLECTION_PARAMETERS } from '../collections/page-parameters.js';
import { PATCH_NOTE, patchBody } from '../collections/patch-description.js';
import { pathsOf, RESOURCE } from '../collections/resource-controller.js';
import { Lists } from '../collections/lists.js';
import { ResourceReader } from '../collections/resource-reader.js';
import { IN_USE } from '../collections/resource-writes.js';
import { type Precondition, UnitOfWork, type Work } from '../collections/unit-of-work.js';
import { VIEW_PARAMETERS, ViewParameters } from '../collections/view-parameters.js';
import { created, done, writtenParts } from '../request/answer.js';
import { checkBody } from '../request/body.js';
import { ItemId } from '../request/item-id.pipe.js';
import { queryOf, ReadsQuery } from '../request/query.js';
import { Context, type RequestContext, variantOf } from '../request/request-context.js';
import { codesOf, Operation } from '../vocabulary/operation.js';
import { allows, RequiresScope } from '../vocabulary/scopes.js';
import { withStoredNames } from './custom-headers.dto.js';
import { endpointBody, endpointSchema as schema, EndpointsService, newEndpointSchema } from './endpoints.service.js';
import { ShownHealth, withHealth, withoutHealth } from './shown-health.js';
import { ENDPOINT_ANSWERS, ShownKeys } from './shown-keys.js';

const tag = notificationEndpoints.name;
const rules = { type: notificationEndpoints.type, schema };
const { example } = notificationEndpoints.describe;
const writeBody = { name: `${notificationEndpoints.name}_write`, schema, ...(example && { example }) };
const newBody = {
  name: `${notificationEndpoints.name}_create`,
  schema: newEndpointSchema,
  example: {
    ...example,
    topics: [{ type: 'STATE_CHANGE_APPLICATION', name: 'Hired', expression: 'application.id > 0' }],
  },
};

/** Serves endpoints. Source: docs/reference/notifications.md, "Endpoints". */
@SetMetadata(RESOURCE, notificationEndpoints)
@Controller(pathsOf(notificationEndpoints))
export class EndpointsController {
  constructor(
    private readonly reader: ResourceReader,
    private readonly lists: Lists,
    private readonly view: ViewParameters,
    private readonly unitOfWork: UnitOfWork,
    private readonly endpoints: EndpointsService,
    private readonly shown: ShownKeys,
    private readonly health: ShownHealth,
    private readonly groups: GroupCounts,
  ) {}

  @ListOperation({
    scope: 'notifications:read',
    tag,
    summary: 'List the endpoints',
    description:
      'Includes the endpoints of single subscriptions. The list omits subscriptions, signing keys and headers.',
    query: [...COLLECTION_PARAMETERS, ...attributeFilterParameters(notificationEndpoints)],
    schema: ENDPOINT_ANSWERS.inLists,
  })
  async list(@Res() reply: FastifyReply, @Context() context: RequestContext): Promise<void> {
    await this.lists.send(notificationEndpoints, reply, context, { further: this.health });
  }

  @CountsOperation(notificationEndpoints)
  async counts(@Res() reply: FastifyReply, @Context() context: RequestContext): Promise<void> {
    await this.groups.send(notificationEndpoints, reply, context);
  }

  @Get(':id')
  @RequiresScope('notifications:read')
  @ReadsQuery()
  @Operation({ tag, summary: 'Read an endpoint', query: VIEW_PARAMETERS, answer: ENDPOINT_ANSWERS.withKeys })
  async item(
    @Param('id', ItemId) id: number,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Context() context: RequestContext,
  ): Promise<void> {
    const settings = await this.view.ofItem(notificationEndpoints, queryOf(request), context, ENDPOINT_ANSWERS.further);
    const text = await this.reader.item(notificationEndpoints, id, context, { settings });
    const body = await this.unitOfWork.run(context, (work) => this.endpoints.withKeys(work, id, text));
    await this.#send(context, reply, body, settings.fields);
  }

  @Post()
  @RequiresScope('notifications:create')
  @Operation({
    tag,
    summary: 'Create an endpoint',
    description: `The recruiter of the credential owns the endpoint. The credential that creates the endpoint may read
its signing keys.

\`topics\` also creates topics, and a subscription of the endpoint to each topic. Either all of them are created, or
none. The credential owns these topics and subscriptions. Every expression needs the read scope of the
resources that it reads.`,
    body: newBody,
    answer: { ...ENDPOINT_ANSWERS.withNewKeys, status: 201, headers: ['Location', 'ETag'] },
  })
  async create(@Body() given: unknown, @Res() reply: FastifyReply, @Context() context: RequestContext): Promise<void> {
    const values = await this.endpoints.check({ ...checkBody<WriteBody>(newEndpointSchema, given), given }, (check) =>
      this.unitOfWork.run(context, check),
    );
    const answer = await this.unitOfWork.answer(context, async (work) => {
      const id = await this.endpoints.create(work, values);
      const location = resourceUrl(work.settings.baseUrl, notificationEndpoints.paths[0], id);
      const { body, headers } = withHealth(await this.endpoints.read(work, id, 'new'), work.variant);
      return { ...created(location, { body }), headers: { location, ...headers } };
    });
    this.shown.send(context, reply, answer, 'endpoint_id');
  }

  @Put(':id')
  @RequiresScope('notifications:write')
  @ChangesItemOf(notificationEndpoints)
  @Operation({
    tag,
    summary: 'Replace an endpoint',
    description: `All subscriptions of the endpoint get its destination. Pending deliveries go there, too. A new
\`destination_url\` needs the read scopes of the expressions of all topics of the endpoint.`,
    body: { ...writeBody, isOfItem: true },
    answer: ENDPOINT_ANSWERS.withKeys,
  })
  async replace(
    @Param('id', ItemId) id: number,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Context() context: RequestContext,
  ): Promise<void> {
    await this.#change(id, request, reply, context);
  }

  @Patch(':id')
  @RequiresScope('notifications:write')
  @ChangesItemOf(notificationEndpoints)
  @Operation({
    tag,
    summary: 'Change an endpoint',
    description: PATCH_NOTE,
    body: patchBody(writeBody),
    answer: ENDPOINT_ANSWERS.withKeys,
  })
  async update(
    @Param('id', ItemId) id: number,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Context() context: RequestContext,
  ): Promise<void> {
    await this.#change(id, request, reply, context);
  }

  @Delete(':id')
  @RequiresScope('notifications:delete')
  @ChangesItemOf(notificationEndpoints)
  @Operation({
    tag,
    summary: 'Delete an endpoint',
    description: 'Only an endpoint without subscriptions can be deleted.',
    errorCodes: codesOf(notificationEndpoints, [IN_USE]),
    answer: { status: 204, description: 'The endpoint is deleted.' },
  })
  async remove(
    @Param('id', ItemId) id: number,
    @Headers('if-match') ifMatch: string | undefined,
    @Res() reply: FastifyReply,
    @Context() context: RequestContext,
  ): Promise<void> {
    await this.unitOfWork.write(context, this.#precondition(ifMatch, id), (work) => this.endpoints.remove(work, id));
    void reply.status(204).send();
  }

  /** Serves PUT and PATCH. Checks the destination before the transaction, which must not wait for name servers. */
  async #change(id: number, request: FastifyRequest, reply: FastifyReply, context: RequestContext): Promise<void> {
    await this.reader.mustExist(notificationEndpoints, id);
    const { body: sent, ...others } = withoutHealth(itemChange(request, context));
    const change = { ...others, body: others.isPatch ? withStoredNames(sent) : sent };
    // Reads the endpoint without a lock. The check below waits for name servers, and a lock would block the matching of
    // all events meanwhile.
    const present = (): Promise<PresentItem> => this.unitOfWork.run(context, (work) => this.#present(work, id));
    await this.endpoints.check(await itemBody(change, rules, present), (check) => this.unitOfWork.run(context, check));
    const precondition = this.#precondition(request.headers['if-match'], id);
    const body = await this.unitOfWork.write(context, precondition, async (work) => {
      await lockEndpointRow(work.transaction, id);
      const wanted = await itemBody(change, rules, () => this.#present(work, id));
      await this.endpoints.replace(work, id, endpointBody(wanted));
      return this.endpoints.read(work, id);
    });
    await this.#send(context, reply, body);
  }

  async #send(context: RequestContext, reply: FastifyReply, text: string, fields?: ReadonlySet<string>): Promise<void> {
    const limited = limitedTo(text, fields);
    const answer =
      fields && !this.health.names.some((name) => fields.has(name))
        ? done({ body: limited })
        : { ...done({ body: '' }), ...(await this.health.inItem(limited, variantOf(context))) };
    this.shown.send(context, reply, answer, 'endpoint_id');
  }

  async #present(work: Work, id: number): Promise<PresentItem> {
    return { text: await this.endpoints.read(work, id), isReadable: allows(work.scopes, 'notifications:read') };
  }

  #precondition(ifMatch: string | undefined, id: number): Precondition {
    return {
      ifMatch: ifMatch === undefined ? undefined : writtenParts(ifMatch),
      locked: async (work) => {
        await lockEndpointRow(work.transaction, id);
        return [await this.endpoints.read(work, id)];
      },
    };
  }
}
