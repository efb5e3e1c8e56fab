import { eventHighWaterMark, notificationEvents, representationSchema } from '@ats/domain';
import { Database } from '@ats/postgres';
import { Controller, Get, Param, Req, Res, SetMetadata } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { attributeFilterParameters } from '../collections/attribute-filters.js';
import { type CollectionFilter, programQuery } from '../collections/collection-parameters.js';
import { ListOperation } from '../collections/list-operation.js';
import { COLLECTION_PARAMETERS } from '../collections/page-parameters.js';
import { pathsOf, RESOURCE } from '../collections/resource-controller.js';
import { Lists } from '../collections/lists.js';
import { ResourceReader } from '../collections/resource-reader.js';
import { ViewParameters, VIEW_PARAMETERS } from '../collections/view-parameters.js';
import { sendItem } from '../request/answer.js';
import { readIdParameter } from '../request/id-parameter.js';
import { ItemId } from '../request/item-id.pipe.js';
import { queryOf, ReadsQuery } from '../request/query.js';
import { Context, type RequestContext } from '../request/request-context.js';
import { Operation } from '../vocabulary/operation.js';
import { RequiresScope } from '../vocabulary/scopes.js';

const tag = notificationEvents.name;
const schema = { name: notificationEvents.name, schema: representationSchema(notificationEvents) };
const SINCE_ID = 'since_id';

/** Lists and reads all events, with or without a delivery. Source: docs/reference/notifications.md, "Event types". */
@SetMetadata(RESOURCE, notificationEvents)
@Controller(pathsOf(notificationEvents))
export class NotificationEventsController {
  constructor(
    private readonly database: Database,
    private readonly reader: ResourceReader,
    private readonly lists: Lists,
    private readonly view: ViewParameters,
  ) {}

  @ListOperation({
    scope: 'notifications:read',
    tag,
    summary: 'List the events',
    description: `By default, the oldest event comes first. To follow the events, begin with \`since_id=0\` or a known id, and
continue with the id of the last event that you have read. You never miss an event, because each event appears only
after all events with smaller ids. Events are kept for 400 days by default.`,
    query: [
      ...COLLECTION_PARAMETERS,
      ...attributeFilterParameters(notificationEvents),
      {
        name: SINCE_ID,
        description: 'Only events newer than the event with this id. 0 starts at the oldest event.',
        schema: { type: 'integer', minimum: 0 },
        isPaging: true,
      },
    ],
    schema,
  })
  async list(@Res() reply: FastifyReply, @Context() context: RequestContext): Promise<void> {
    await this.lists.send(notificationEvents, reply, context, {
      filter: this.#eventFilter,
      // Reads events from the primary, because a replica may lack events below the high-water mark of the primary.
      readsPrimary: (parameters) => parameters.has(SINCE_ID),
    });
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
    sendItem(reply, await this.reader.item(notificationEvents, id, context, { settings }));
  }

  /**
   * The list stops at the high-water mark. A client that continues after the last id then never misses an event that
   * commits late.
   */
  readonly #eventFilter: CollectionFilter = {
    parameters: [SINCE_ID],
    pagingParameters: [SINCE_ID],
    read: async (parameters, violations) => {
      const since = readIdParameter(parameters, SINCE_ID, { least: 0 });
      if (!since) return [];
      if (since.violation === undefined)
        return [
          programQuery(notificationEvents, [`/id>${since.id}`, `/id<=${await eventHighWaterMark(this.database)}`]),
        ];
      violations.push({
        resource: notificationEvents.name,
        path: '',
        parameter: SINCE_ID,
        code: 'invalid',
        info: since.violation,
      });
      return [];
    },
  };
}
