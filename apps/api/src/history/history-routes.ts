import { type HistorySubject, type Resource } from '@ats/domain';
import { DEFAULT_PER_PAGE, MAX_PER_PAGE } from '@ats/pagination';
import { Get, Injectable, Param, Req, Res, type Type } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { ItemId } from '../request/item-id.pipe.js';
import { queryOf, ReadsQuery } from '../request/query.js';
import { Context, type RequestContext } from '../request/request-context.js';
import { oneOf, Operation, type QueryParameter } from '../vocabulary/operation.js';
import { RequiresScope, ShowsValuesOf } from '../vocabulary/scopes.js';
import { HISTORY_SCHEMA } from './history-schema.js';
import { HistoryService } from './history.service.js';

const perPage: QueryParameter = {
  name: 'per_page',
  description: 'Maximum number of entries.',
  schema: { type: 'integer', minimum: 1, maximum: MAX_PER_PAGE, default: DEFAULT_PER_PAGE },
};

const FEED_PARAMETERS: readonly QueryParameter[] = [
  perPage,
  {
    name: 'since_id',
    description: 'Only entries newer than the entry with this id. 0 starts at the oldest entry.',
    schema: { type: 'integer', minimum: 0 },
  },
];

const HISTORY_PARAMETERS: readonly QueryParameter[] = [
  perPage,
  {
    name: 'before_id',
    description: 'Only entries older than the entry with this id.',
    schema: { type: 'integer', minimum: 1 },
  },
];

/**
 * Makes the routes of the history of one item, at `/<id>/history`.
 * Source: docs/reference/history.md, "Reading the history of an item".
 */
export function HistoryRoutes(resource: Resource, subject: HistorySubject): Type<HistoryRoutesBase> {
  class Routes extends HistoryRoutesBase {
    @Get(':id/history')
    @RequiresScope('history:read')
    @ShowsValuesOf(`${resource.scope}:read`)
    @ReadsQuery()
    @Operation({
      tag: resource.name,
      summary: `Read the history of ${oneOf(resource)}`,
      description: `Entries are newest first. While \`has_more\` is true, send the id of the last entry as \`before_id\`
to read older ones.`,
      query: HISTORY_PARAMETERS,
      answer: { status: 200, description: 'The newest entries.', schema: HISTORY_SCHEMA },
    })
    async list(
      @Param('id', ItemId) id: number,
      @Req() request: FastifyRequest,
      @Res() reply: FastifyReply,
      @Context() context: RequestContext,
    ): Promise<void> {
      const body = await this.history.page({ resource, subject }, id, queryOf(request), context);
      void reply.header('content-type', 'application/json; charset=utf-8').send(body);
    }
  }
  return Routes;
}

/**
 * Makes the routes of a feed with the history of all applications of a collection, at `/history`.
 * Source: docs/reference/history.md, "Feed".
 */
export function HistoryFeedRoutes(resource: Resource): Type<HistoryRoutesBase> {
  class Routes extends HistoryRoutesBase {
    @Get('history')
    @RequiresScope('history:read')
    @ShowsValuesOf(`${resource.scope}:read`)
    @ReadsQuery()
    @Operation({
      tag: resource.name,
      action: 'follow_history',
      summary: `Follow the history of all ${resource.name.replaceAll('_', ' ')}`,
      description: `Entries are oldest first. Send the id of the last entry as \`since_id\` to read the next ones. A
client that continues this way never misses an entry.`,
      query: FEED_PARAMETERS,
      answer: { status: 200, description: 'The entries after `since_id`.', schema: HISTORY_SCHEMA },
    })
    async feed(
      @Req() request: FastifyRequest,
      @Res() reply: FastifyReply,
      @Context() context: RequestContext,
    ): Promise<void> {
      const body = await this.history.feed(resource, queryOf(request), context);
      void reply.header('content-type', 'application/json; charset=utf-8').send(body);
    }
  }
  return Routes;
}

@Injectable()
export class HistoryRoutesBase {
  constructor(protected readonly history: HistoryService) {}
}
