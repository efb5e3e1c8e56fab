import { messageFeedStatement, notificationSubscriptions } from '@ats/domain';
import { Database } from '@ats/postgres';
import { message } from '@ats/message';
import { DEFAULT_PER_PAGE, MAX_PER_PAGE, parsePageParameters } from '@ats/pagination';
import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { ResourceReader } from '../collections/resource-reader.js';
import { readIdParameter } from '../request/id-parameter.js';
import { ItemId } from '../request/item-id.pipe.js';
import { invalidQuery, parameterProblem, queryOf, ReadsQuery, unknownParameters } from '../request/query.js';
import { Operation, strictObject } from '../vocabulary/operation.js';
import { RequiresScope } from '../vocabulary/scopes.js';
import { MESSAGE_SCOPES, NeedsTopicScopes } from './topic-scopes.guard.js';

/** The properties of a message in a feed. */
export const MESSAGE_PROPERTIES = {
  sequence: {
    type: 'integer',
    minimum: 1,
    description: 'Number of the message within its subscription, as in the header `x-service-notify-sequence`.',
  },
  message_id: { type: 'string', format: 'uuid' },
  timestamp: { type: 'string', format: 'date-time', description: 'Time of the event.' },
  body: {
    type: 'string',
    description: `The exact text that is signed and sent, in UTF-8. Parse the text as JSON to read it. To compare
it with a message that you received, compare the two texts without parsing.`,
  },
} as const;

const FEED_SCHEMA = {
  name: 'notification_messages',
  schema: strictObject({
    items: {
      type: 'array',
      items: strictObject(MESSAGE_PROPERTIES),
    },
    has_more: { type: 'boolean' },
  }),
};

/** Serves the messages of a subscription as a feed. Source: docs/reference/notifications.md, "Message feed". */
@Controller('api/v1/notification_topics/:topicId/subscriptions/:id')
export class MessagesController {
  constructor(
    private readonly database: Database,
    private readonly reader: ResourceReader,
  ) {}

  @Get('messages')
  @RequiresScope('notifications:read')
  @NeedsTopicScopes('messages')
  @ReadsQuery()
  @Operation({
    tag: notificationSubscriptions.name,
    summary: 'Read the messages of a subscription',
    description: `The feed contains every message of the subscription in the order of its sequence, which has no gaps.
It is complete regardless of the delivery status: it includes held and pending messages, but no test messages.

While \`has_more\` is true, send the sequence of the last message as \`after\` to read the next ones.

Messages are kept as long as their deliveries, 30 days by default. The feed of an older subscription therefore begins
with a sequence above 1.

${MESSAGE_SCOPES}`,
    query: [
      {
        name: 'after',
        description: 'Only messages with a greater sequence than this. 0 starts at the oldest message.',
        schema: { type: 'integer', minimum: 0, default: 0 },
      },
      {
        name: 'per_page',
        description: 'Maximum number of messages.',
        schema: { type: 'integer', minimum: 1, maximum: MAX_PER_PAGE, default: DEFAULT_PER_PAGE },
      },
    ],
    answer: { status: 200, description: 'The next messages.', schema: FEED_SCHEMA },
  })
  async list(
    @Param('topicId', ItemId) topicId: number,
    @Param('id', ItemId) id: number,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.reader.mustExist(notificationSubscriptions, id, topicId);
    const { after, limit } = readParameters(queryOf(request));
    const [row] = await this.database.reading.query<{ body: string }>(
      messageFeedStatement({ subscriptionId: id, after, limit }),
    );
    if (!row) throw new Error('the query for the messages of a subscription returned no row');
    void reply.header('content-type', 'application/json; charset=utf-8').send(row.body);
  }
}

/** Reads the query of a feed. @throws {Problem} 400 for unknown or invalid parameters */
function readParameters(query: URLSearchParams): { readonly after: number; readonly limit: number } {
  const place = { resource: FEED_SCHEMA.name, path: '' };
  const violations = unknownParameters(place.resource, query, ['after', 'per_page']);
  // In a feed, `after` is a sequence number, not the cursor of a page.
  const pages = parsePageParameters([...query].filter(([name]) => name === 'per_page'));
  if (pages.violations)
    violations.push(...pages.violations.map((violation) => parameterProblem(place.resource, violation)));
  const after = readIdParameter(query, 'after', {
    least: 0,
    violation: (found) => message`expected the sequence of a message, found ${found}`,
  });
  if (after?.violation !== undefined)
    violations.push({ ...place, parameter: 'after', code: 'invalid', info: after.violation });
  if (pages.violations || violations.length > 0) throw invalidQuery(violations);
  return { after: after?.id ?? 0, limit: pages.perPage };
}
