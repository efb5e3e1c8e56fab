import { type HistorySubject, type Resource } from '@ats/domain';
import { Get, Injectable, Param, Req, Res, type Type } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { ItemId } from '../http/item-id.pipe.js';
import { queryOf, ReadsQuery } from '../http/query.js';
import { Context, type RequestContext } from '../http/request-context.js';
import { RequiresScope } from '../http/scopes.js';
import { HistoryService } from './history.service.js';

/** What happened to a resource's items, at `/<id>/history`. Source: CONTRACT.md 5. */
export function HistoryRoutes(resource: Resource, subject: HistorySubject): Type<HistoryRoutesBase> {
  class Routes extends HistoryRoutesBase {
    @Get(':id/history')
    @RequiresScope('history:read')
    @ReadsQuery()
    async list(
      @Param('id', ItemId) id: number,
      @Req() request: FastifyRequest,
      @Res() reply: FastifyReply,
      @Context() context: RequestContext,
    ): Promise<void> {
      const body = await this.history.page({ resource, subject, id }, queryOf(request), context);
      void reply.header('content-type', 'application/json; charset=utf-8').send(body);
    }
  }
  return Routes;
}

@Injectable()
export class HistoryRoutesBase {
  constructor(protected readonly history: HistoryService) {}
}
