import { EVENT_TYPES, notificationEndpoints } from '@ats/domain';
import { message, type Message } from '@ats/message';
import { DEFAULT_PER_PAGE, MAX_PER_PAGE, parsePageParameters } from '@ats/pagination';
import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { pathsOf } from '../collections/resource-controller.js';
import { EVENT_STREAM, lastEventId, sendEventStream, STREAM_PAGE, wantsStream } from '../feeds/event-stream.js';
import { WAIT_PARAMETER, readWait } from '../feeds/wait-parameter.js';
import { WaitingClients } from '../feeds/waiting-client.js';
import { readIdParameter } from '../request/id-parameter.js';
import { ItemId } from '../request/item-id.pipe.js';
import { invalidQuery, parameterProblem, queryOf, ReadsQuery, unknownParameters } from '../request/query.js';
import { Context, type RequestContext } from '../request/request-context.js';
import { Operation, type QueryParameter, strictObject } from '../vocabulary/operation.js';
import { RequiresScope } from '../vocabulary/scopes.js';
import { type EndpointFeedQuery, EndpointFeedService } from './endpoint-feed.service.js';
import { MESSAGE_PROPERTIES } from './messages.controller.js';

const tag = notificationEndpoints.name;
const SCOPES = `Needs the read scopes of the subjects of all topics of the endpoint, and of every resource that their
expressions read or have read.`;

const AFTER: QueryParameter = {
  name: 'after',
  description: 'Only messages with a greater position than this. 0 starts at the oldest message.',
  schema: { type: 'integer', minimum: 0, default: 0 },
};
const MESSAGES_PARAMETERS: readonly QueryParameter[] = [
  AFTER,
  {
    name: 'per_page',
    description: 'Maximum number of messages.',
    schema: { type: 'integer', minimum: 1, maximum: MAX_PER_PAGE, default: DEFAULT_PER_PAGE },
  },
  WAIT_PARAMETER,
];

const FEED_SCHEMA = {
  name: 'notification_endpoint_messages',
  schema: strictObject({
    items: {
      type: 'array',
      items: strictObject({
        position: {
          type: 'integer',
          minimum: 1,
          description: 'The position in the feed of the endpoint. Later messages have greater positions, with gaps.',
        },
        subscription_id: { type: 'integer', description: 'The subscription that the message is for.' },
        type: { type: 'string', enum: EVENT_TYPES },
        ...MESSAGE_PROPERTIES,
      }),
    },
    next: { type: 'integer', minimum: 0, description: 'The value of `after` for the next request.' },
    has_more: { type: 'boolean' },
  }),
};

/** Serves the messages of endpoints as feeds. Source: docs/reference/notifications.md, "Feed of an endpoint". */
@Controller(pathsOf(notificationEndpoints).map((path) => `${path}/:id`))
export class EndpointFeedController {
  constructor(
    private readonly feed: EndpointFeedService,
    private readonly clients: WaitingClients,
  ) {}

  @Get('messages')
  @RequiresScope('notifications:read')
  @ReadsQuery()
  @Operation({
    tag,
    summary: 'Read the messages of an endpoint',
    description: `The feed has the messages of all present subscriptions of the endpoint, also those that are held, pending
or delivered, but no test messages. A client that sends \`next\` of each answer as \`after\` of the next request gets
every message once.

With \`wait\`, the answer is sent as soon as there is a message, or with an empty list after that time.

${SCOPES}`,
    query: MESSAGES_PARAMETERS,
    answer: { status: 200, description: 'The next messages.', schema: FEED_SCHEMA },
  })
  async list(
    @Param('id', ItemId) endpointId: number,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Context() context: RequestContext,
  ): Promise<void> {
    const query = { endpointId, ...readParameters(queryOf(request), MESSAGES_PARAMETERS) };
    await this.#send(reply, await this.feed.read(query, context, this.clients.of(request, reply)));
  }

  @Get('stream')
  @RequiresScope('notifications:read')
  @ReadsQuery()
  @Operation({
    tag,
    action: 'stream',
    summary: 'Stream the messages of an endpoint',
    description: `Sends the messages as server-sent events for as long as the client stays: the message as \`data\`, its
type as \`event\` and its position as \`id\`. A client that connects again sends the last \`id\` in
\`Last-Event-ID\`, which replaces \`after\`. A comment follows at least every 15 seconds.

With \`Accept: application/json\`, the answer is one page of \`messages\`.

${SCOPES}`,
    query: [AFTER],
    answer: {
      status: 200,
      description: 'The messages, oldest first, as server-sent events.',
      schema: FEED_SCHEMA,
      text: EVENT_STREAM,
    },
  })
  async stream(
    @Param('id', ItemId) endpointId: number,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Context() context: RequestContext,
  ): Promise<void> {
    const parameters = queryOf(request);
    const lastId = lastEventId(request);
    if (lastId !== undefined) parameters.set('after', lastId);
    const query = { endpointId, ...readParameters(parameters, [AFTER]), limit: STREAM_PAGE.limit };
    const client = this.clients.of(request, reply);
    if (!wantsStream(request, EVENT_STREAM)) return this.#send(reply, await this.feed.read(query, context, client));
    const parts = this.feed.follow({ ...query, waitSeconds: STREAM_PAGE.waitSeconds }, context, client);
    await sendEventStream(reply, parts, client);
  }

  #send(reply: FastifyReply, answer: object): Promise<void> {
    void reply.header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(answer));
    return Promise.resolve();
  }
}

/** Reads the query of a feed. @throws {Problem} 400 for unknown or invalid parameters */
function readParameters(
  query: URLSearchParams,
  parameters: readonly QueryParameter[],
): Omit<EndpointFeedQuery, 'endpointId'> {
  const place = { resource: FEED_SCHEMA.name, path: '' };
  const names = parameters.map(({ name }) => name);
  const violations = unknownParameters(place.resource, query, names);
  const refuse = (parameter: string, info: Message): void =>
    void violations.push({ ...place, parameter, code: 'invalid', info });
  // In a feed, `after` is a position, not the cursor of a page.
  const pages = parsePageParameters([...query].filter(([name]) => name === 'per_page'));
  if (pages.violations)
    violations.push(...pages.violations.map((violation) => parameterProblem(place.resource, violation)));
  const after = readIdParameter(query, 'after', {
    least: 0,
    violation: (found) => message`expected the position of a message, found ${found}`,
  });
  if (after?.violation !== undefined) refuse('after', after.violation);
  const waitSeconds = readWait(query, (info) => refuse('wait', info));
  if (pages.violations || violations.length > 0) throw invalidQuery(violations);
  return { after: after?.id ?? 0, limit: pages.perPage, waitSeconds };
}
