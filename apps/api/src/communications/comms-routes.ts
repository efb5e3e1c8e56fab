import { communications, readItem, representationSchema, type Resource, resourceUrl } from '@ats/domain';
import { Body, Inject, Injectable, Param, Post, Req, Res, type Type } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { programQuery } from '../collections/collection-parameters.js';
import { ListOperation } from '../collections/list-operation.js';
import { COLLECTION_PARAMETERS } from '../collections/page-parameters.js';
import { Lists } from '../collections/lists.js';
import { ResourceReader } from '../collections/resource-reader.js';
import { readRichTextForm, RICH_TEXT_PARAMETER } from '../collections/rich-text-parameter.js';
import { UnitOfWork } from '../collections/unit-of-work.js';
import { created, done, sendAnswer } from '../request/answer.js';
import { checkBody } from '../request/body.js';
import { ItemId } from '../request/item-id.pipe.js';
import { queryOf, ReadsQuery } from '../request/query.js';
import { Context, type RequestContext } from '../request/request-context.js';
import { oneOf, Operation } from '../vocabulary/operation.js';
import { RequiresScope } from '../vocabulary/scopes.js';
import { communicationSchema, PREVIEW_SCHEMA, previewSchema } from './communication.dto.js';
import { CommunicationsService } from './communications.service.js';

const SHOWN = { name: communications.name, schema: representationSchema(communications) };
const TEMPLATES = `The credential needs the read scope of every resource that the placeholders of a template read.
Labels and localised texts are in the candidate’s language, which defaults to the language of the system.`;
const EXAMPLE = { subject: 'Your application', body: '<p>Thank you, we have received it.</p>' };

/**
 * Makes the routes of the communications of an application, at `/<id>/comms`.
 * Source: docs/reference/communications.md, "Messages".
 */
export function CommsRoutes(resource: Resource): Type<CommsRoutesBase> {
  const one = oneOf(resource);
  const tag = resource.name;

  class Routes extends CommsRoutesBase {
    @ListOperation({
      path: ':id/comms',
      scope: 'communications:read',
      tag,
      summary: `List the communications of ${one}`,
      description:
        'Lists only the communications about this application, not about other applications of the candidate.',
      query: COLLECTION_PARAMETERS,
      schema: SHOWN,
    })
    async list(
      @Param('id', ItemId) id: number,
      @Res() reply: FastifyReply,
      @Context() context: RequestContext,
    ): Promise<void> {
      const condition = await this.condition(resource, id, context);
      const filter = {
        parameters: [],
        cursorScope: condition,
        read: () => Promise.resolve([programQuery(communications, [condition])]),
      };
      await this.lists.send(communications, reply, context, { filter });
    }

    @Post(':id/comms')
    @RequiresScope('communications:create')
    @Operation({
      tag,
      action: 'create_comms',
      summary: `Write to the candidate of ${one}`,
      description: `Creates a communication from a \`subject\` and \`body\`, or from a template.

- An e-mail is queued, and the service sends it. The history of the application then has an entry \`comm_sent\`.
- An SMS is refused with \`channel_unavailable\`: the service has no SMS gateway.
- Notes and messages from the candidate (\`direction\` \`inbound\`) are stored and not sent.

${TEMPLATES}`,
      body: { name: 'communications_write', schema: communicationSchema, example: EXAMPLE },
      errorCodes: communications.type.errorCodes,
      answer: { status: 201, description: 'The new communication.', schema: SHOWN, headers: ['Location', 'ETag'] },
    })
    async create(
      @Param('id', ItemId) applicationId: number,
      @Body() body: unknown,
      @Res() reply: FastifyReply,
      @Context() context: RequestContext,
    ): Promise<void> {
      const { violations = [] } = checkBody(communicationSchema, body);
      const answer = await this.unitOfWork.answer(context, async (work) => {
        const { id, people } = await this.communications.create(work, {
          resource,
          applicationId,
          body,
          violations,
          isKept: true,
        });
        const location = resourceUrl(work.settings.baseUrl, communications.paths[0], id);
        return created(location, {
          body: await readItem(work.transaction, communications, id, work.settings),
          people,
        });
      });
      sendAnswer(reply, answer);
    }

    @Post(':id/comms/preview')
    @RequiresScope('communications:write')
    @ReadsQuery()
    @Operation({
      tag,
      summary: `Preview a message to the candidate of ${one}`,
      description: `Fills in a template, or a \`subject\` and \`body\` with placeholders, for this application. Nothing
is stored or sent, and the answer does not contain the candidate’s e-mail address or telephone number.

${TEMPLATES}`,
      query: [RICH_TEXT_PARAMETER],
      body: {
        name: 'communications_preview',
        schema: previewSchema,
        example: { subject: 'Welcome', body: '<p>Dear {{ application.user.firstname }},</p>' },
      },
      errorCodes: communications.type.errorCodes,
      answer: {
        status: 200,
        description: 'The filled-in message.',
        schema: PREVIEW_SCHEMA,
        itemOf: resource.name,
        headers: ['ETag'],
      },
    })
    async preview(
      @Param('id', ItemId) applicationId: number,
      @Body() given: unknown,
      @Req() request: FastifyRequest,
      @Res() reply: FastifyReply,
      @Context() context: RequestContext,
    ): Promise<void> {
      const form = readRichTextForm(communications.name, queryOf(request), context);
      const { violations = [] } = checkBody(previewSchema, given);
      const answer = await this.unitOfWork.answer(context, async (work) => {
        const { subject, body, people } = await this.communications.preview(work, {
          resource,
          applicationId,
          body: given,
          violations,
          isKept: false,
        });
        return done({ body: JSON.stringify({ subject, body: form ? body.html : body.plain }), people });
      });
      sendAnswer(reply, answer);
    }
  }
  return Routes;
}

@Injectable()
export class CommsRoutesBase {
  @Inject(Lists) protected readonly lists!: Lists;

  constructor(
    protected readonly reader: ResourceReader,
    protected readonly unitOfWork: UnitOfWork,
    protected readonly communications: CommunicationsService,
  ) {}

  /**
   * Returns the search condition of a list. Below version 1.9 it selects all communications of the application's
   * candidate.
   * @throws {NotFoundError} when the collection has no such application
   */
  protected async condition(resource: Resource, id: number, context: RequestContext): Promise<string> {
    if (!context.compatibilityFlags.has('candidate_comms')) {
      await this.reader.mustExist(resource, id);
      return `/application/id=${id}`;
    }
    const application = JSON.parse(await this.reader.item(resource, id, context)) as {
      readonly candidate: { readonly id: number };
    };
    return `/candidate/id=${application.candidate.id}`;
  }
}
