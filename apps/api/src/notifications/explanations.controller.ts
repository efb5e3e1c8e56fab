import { type JsonSchema, notificationTopics } from '@ats/domain';
import { Body, Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { OBJECT_PREVIEW_ANSWER } from '../collections/object-previews.js';
import { ResourceReader } from '../collections/resource-reader.js';
import { UnitOfWork } from '../collections/unit-of-work.js';
import { done, sendAnswer } from '../request/answer.js';
import { ItemId } from '../request/item-id.pipe.js';
import { localisedJson } from '../request/localised-json.js';
import { queryOf, ReadsQuery } from '../request/query.js';
import { Context, type RequestContext } from '../request/request-context.js';
import { Operation } from '../vocabulary/operation.js';
import { RequiresScope } from '../vocabulary/scopes.js';
import { EXPLANATION_SCHEMA, PREVIEW_SCHEMA } from './explanation-schemas.js';
import { ExplanationsService } from './explanations.service.js';
import { previewSchema, topicObjectsSchema } from './preview.dto.js';

const tag = notificationTopics.name;
const SCOPES =
  'The answer contains values, so the credential needs the read scope of every resource that the expression reads.';
const EVENT_ID: JsonSchema = { type: 'integer', minimum: 1 };

@Controller('api/v1/notification_topics')
export class ExplanationsController {
  constructor(
    private readonly explanations: ExplanationsService,
    private readonly reader: ResourceReader,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  @Post('preview')
  @RequiresScope('notifications:write')
  @Operation({
    tag,
    summary: 'Preview a topic',
    description: `Evaluates an expression on the last events of a type, before you create a topic with it. Each event is
evaluated on its stored values and at its own time. Nothing is stored or sent.

${SCOPES}`,
    body: {
      name: 'notification_topic_preview_request',
      schema: previewSchema,
      example: {
        type: 'STATE_CHANGE_APPLICATION',
        expression: 'application.main_process_state.state.state == "interview"',
        limit: 50,
      },
    },
    answer: {
      status: 200,
      description: 'The events on which the expression was evaluated, with the result for each event.',
      schema: PREVIEW_SCHEMA,
      headers: ['ETag'],
    },
  })
  async preview(@Body() given: unknown, @Res() reply: FastifyReply, @Context() context: RequestContext): Promise<void> {
    const { preview, people } = await this.explanations.preview(given, context);
    const answer = done({ body: JSON.stringify(preview), people });
    sendAnswer(
      reply,
      context.idempotency ? await this.unitOfWork.answer(context, () => Promise.resolve(answer)) : answer,
    );
  }

  @Post('objects/preview')
  @RequiresScope('notifications:write')
  @Operation({
    tag,
    action: 'preview_objects',
    summary: 'Preview the objects that a topic matches',
    description: `Shows which objects a topic would match if each had an event now. Expressions with
\`CHANGED\` or \`WAS\` are refused. The type \`DELIVERY_EXHAUSTED\` needs the scope \`*:read\`.`,
    body: {
      name: 'notification_topic_objects_request',
      schema: topicObjectsSchema,
      example: {
        type: 'STATE_CHANGE_APPLICATION',
        expression: 'application.main_process_state.state.state == "interview"',
        limit: 5,
      },
    },
    answer: OBJECT_PREVIEW_ANSWER,
  })
  async previewObjects(
    @Body() given: unknown,
    @Res() reply: FastifyReply,
    @Context() context: RequestContext,
  ): Promise<void> {
    await this.explanations.sendObjects(given, reply, context);
  }

  @Get(':id/explain')
  @RequiresScope('notifications:read')
  @ReadsQuery()
  @Operation({
    tag,
    action: 'explain',
    summary: 'Explain why an event was or was not notified',
    description: `The answer uses the values that were stored when the event was matched. Later changes of the topic or
the data do not change the answer. Only the verdicts on deliveries follow the progress of the deliveries. The answer
lists at most 1000 subscriptions.

${SCOPES}`,
    query: [{ name: 'event_id', description: 'Id of an event, from the list of events. Required.', schema: EVENT_ID }],
    answer: { status: 200, description: 'The verdicts of all steps, in order.', schema: EXPLANATION_SCHEMA },
  })
  async explain(
    @Param('id', ItemId) topicId: number,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Context() context: RequestContext,
  ): Promise<void> {
    await this.reader.mustExist(notificationTopics, topicId);
    const body = localisedJson(
      await this.explanations.explain(topicId, queryOf(request), context),
      context.settings.language,
    );
    void reply.header('content-type', 'application/json; charset=utf-8').send(body);
  }
}
