import { eventHighWaterMark, notificationEvents, representationSchema } from '@ats/domain';
import { Database } from '@ats/postgres';
import { Controller, Get, Param, Req, Res, SetMetadata } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { attributeFilterParameters } from '../collections/attribute-filters.js';
import { type CollectionFilter, programQuery } from '../collections/collection-parameters.js';
import { COLLECTION_PARAMETERS } from '../collections/page-parameters.js';
import { pathsOf, RESOURCE } from '../collections/resource-controller.js';
import { ResourceReader } from '../collections/resource-reader.js';
import { ViewParameters, VIEW_PARAMETERS } from '../collections/view-parameters.js';
import { sendItem, sendPage } from '../request/answer.js';
import { readIdParameter } from '../request/id-parameter.js';
import { ItemId } from '../request/item-id.pipe.js';
import { queryOf, ReadsQuery } from '../request/query.js';
import { Context, type RequestContext } from '../request/request-context.js';
import { Operation } from '../vocabulary/operation.js';
import { RequiresScope } from '../vocabulary/scopes.js';

const tag = notificationEvents.name;
const schema = { name: notificationEvents.name, schema: representationSchema(notificationEvents) };
const SINCE_ID = 'since_id';

/** What happened, whether somebody was told of it or not. Source: CONTRACT.md 11, Notifications. */
@SetMetadata(RESOURCE, notificationEvents)
@Controller(pathsOf(notificationEvents))
export class NotificationEventsController {
  constructor(
    private readonly database: Database,
    private readonly reader: ResourceReader,
    private readonly view: ViewParameters,
  ) {}

  @Get()
  @RequiresScope('notifications:read')
  @ReadsQuery()
  @Operation({
    tag,
    summary: 'List the events',
    description: `Oldest first unless \`sort\` says otherwise. To follow what happens, begin with \`since_id=0\` or an id that you know, and ask again with the id of the last
event that you have seen: none is missed, for an event is only shown once all events with smaller ids are there. Events are kept for
400 days unless configured otherwise.`,
    query: [
      ...COLLECTION_PARAMETERS,
      ...attributeFilterParameters(notificationEvents),
      {
        name: SINCE_ID,
        description: 'Only events newer than the one with this id; 0 is the beginning.',
        schema: { type: 'integer', minimum: 0 },
      },
    ],
    answer: {
      status: 200,
      description: 'One page.',
      schema: { ...schema, isList: true },
      headers: ['Link', 'X-Total-Count'],
    },
  })
  async list(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Context() context: RequestContext,
  ): Promise<void> {
    // A replica may show an event whose predecessors are committed after it: they are complete up to the horizon of the primary alone.
    const isOfThisMoment = queryOf(request).has(SINCE_ID);
    sendPage(
      reply,
      await this.reader.page(notificationEvents, reply, context, {
        filter: this.#eventFilter,
        isOfThisMoment,
      }),
    );
  }

  @Get(':id')
  @RequiresScope('notifications:read')
  @ReadsQuery()
  @Operation({
    tag,
    summary: 'Read an event',
    query: VIEW_PARAMETERS,
    answer: { status: 200, description: 'The event.', schema, headers: ['ETag'] },
  })
  async item(
    @Param('id', ItemId) id: number,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Context() context: RequestContext,
  ): Promise<void> {
    const settings = await this.view.ofItem(notificationEvents, queryOf(request), context);
    sendItem(reply, await this.reader.item(notificationEvents, id, { settings }));
  }

  /** Whoever follows the events by their ids must not be shown one before all that come before it. */
  readonly #eventFilter: CollectionFilter = {
    parameters: [SINCE_ID],
    read: async (parameters, faults) => {
      const since = readIdParameter(parameters, SINCE_ID, { least: 0 });
      if (!since) return [];
      if (since.fault === undefined)
        return [
          programQuery(notificationEvents, [`/id>${since.id}`, `/id<=${await eventHighWaterMark(this.database)}`]),
        ];
      faults.push({
        resource: notificationEvents.name,
        path: '',
        parameter: SINCE_ID,
        code: 'invalid',
        info: since.fault,
      });
      return [];
    },
  };
}
