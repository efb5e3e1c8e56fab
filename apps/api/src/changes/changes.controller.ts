import { Controller, Get, Req, Res } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { EVENT_STREAM, lastEventId, sendEventStream, STREAM_PAGE, wantsStream } from '../feeds/event-stream.js';
import { WaitingClients } from '../feeds/waiting-client.js';
import { sendPage } from '../request/answer.js';
import { queryOf, ReadsQuery } from '../request/query.js';
import { Context, type RequestContext } from '../request/request-context.js';
import { Operation } from '../vocabulary/operation.js';
import { RequiresScope } from '../vocabulary/scopes.js';
import { ChangeTokens } from './change-tokens.js';
import { CHANGES_PARAMETERS, readChangesQuery } from './changes-parameters.js';
import { CHANGES_SCHEMA } from './changes-schema.js';
import { CHANGES_SCOPES, ChangesService } from './changes.service.js';

@Controller('api/v1/changes')
export class ChangesController {
  constructor(
    private readonly changes: ChangesService,
    private readonly tokens: ChangeTokens,
    private readonly clients: WaitingClients,
  ) {}

  @Get()
  @RequiresScope(...CHANGES_SCOPES)
  @ReadsQuery()
  @Operation({
    tag: 'changes',
    summary: 'Follow all changes',
    description: `Lists every committed change of every item that the credential may read, in the order of the commits.
A client that sends \`next\` of each answer as \`since\` of the next request gets every change once.

- Several changes of an item in one request of a client are one change.
- An entry \`deleted\` stays in the feed for as long as events are stored.
- To keep a copy: request \`since=now\`, read all items, then follow the feed from the token of the first answer. Read
  each changed item at its \`url\`, and remove the item from the copy when the answer is 404.
- The logs \`audit_entries\`, \`notification_events\` and \`notification_deliveries\` are not in the feed.`,
    query: CHANGES_PARAMETERS,
    answer: {
      status: 200,
      description: 'The changes, oldest first. With `Accept: text/event-stream`, a stream of server-sent events.',
      schema: CHANGES_SCHEMA,
      text: EVENT_STREAM,
    },
    otherErrors: [
      { status: 410, description: 'The changes after `since` are no longer stored. Start over with `since=now`.' },
    ],
  })
  async list(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Context() context: RequestContext,
  ): Promise<void> {
    const client = this.clients.of(request, reply);
    const parameters = queryOf(request);
    if (wantsStream(request)) {
      const lastId = lastEventId(request);
      if (lastId !== undefined) parameters.set('since', lastId);
      const query = { ...readChangesQuery(parameters, this.tokens), ...STREAM_PAGE };
      await sendEventStream(reply, this.changes.follow(query, context, client), client);
    } else {
      sendPage(reply, await this.changes.read(readChangesQuery(parameters, this.tokens), context, client));
    }
  }
}
