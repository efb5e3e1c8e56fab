import { documents, representationSchema } from '@ats/domain';
import { Database } from '@ats/postgres';
import { message } from '@ats/message';
import { Controller, Get, Inject, Param, Post, Req, Res } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { pathsOf, ResourceController } from '../collections/resource-controller.js';
import { ResourceReader } from '../collections/resource-reader.js';
import { UnitOfWork } from '../collections/unit-of-work.js';
import { sendAnswer } from '../request/answer.js';
import { ItemId } from '../request/item-id.pipe.js';
import { ReadsQuery } from '../request/query.js';
import { Context, type RequestContext } from '../request/request-context.js';
import { Operation, strictObject } from '../vocabulary/operation.js';
import { Problem } from '../vocabulary/problem.js';
import { RequiresScope } from '../vocabulary/scopes.js';
import { DocumentLinks } from './document-links.js';
import { DocumentUploads } from './document-uploads.js';
import { documentWrites } from './document-writes.js';
import { type DownloadedDocument, refuseUnsafe } from './download.js';
import { UPLOAD_BODY, UPLOAD_PARAMETERS } from './upload.dto.js';

@Controller(pathsOf(documents))
export class DocumentsController extends ResourceController(documents, {
  verbs: ['replace', 'remove'],
  notes: {
    replace: '`application_id` or `candidate_id` sets the owner, once. Only the uploading credential can.',
    remove: 'The bytes are deleted within minutes.',
  },
}) {
  @Inject(DocumentUploads) private readonly uploads!: DocumentUploads;
  @Inject(DocumentLinks) private readonly links!: DocumentLinks;
  @Inject(Database) private readonly database!: Database;

  constructor(reader: ResourceReader, unitOfWork: UnitOfWork) {
    super(reader, unitOfWork, documentWrites);
  }

  @Post()
  @RequiresScope('documents:create')
  @ReadsQuery()
  @Operation({
    tag: documents.name,
    summary: 'Upload a document',
    description: `The body is the file itself, of any media type, with \`kind\` and \`name\` in the query. Or it is
\`multipart/form-data\` with the parts \`file\`, \`kind\` and \`name\`, and no query. The service detects the media type by
the content of the file. A document belongs to the application or candidate that first names its id in
\`document_ids\`. Documents that nobody names are deleted after 24 hours. Uploads with tus 1.0 at
\`/documents/uploads\` can be resumed.`,
    query: UPLOAD_PARAMETERS,
    body: UPLOAD_BODY,
    otherErrors: [{ status: 413, description: 'The file has more bytes than `DOCUMENT_MAX_BYTES`.' }],
    answer: {
      status: 201,
      description: 'The new document.',
      schema: { name: documents.name, schema: representationSchema(documents) },
      headers: ['Location', 'ETag'],
    },
  })
  async upload(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Context() context: RequestContext,
  ): Promise<void> {
    sendAnswer(reply, await this.uploads.receive(request, context));
  }

  @Get(':id/link')
  @RequiresScope('documents:read')
  @Operation({
    tag: documents.name,
    summary: 'Make a link that downloads a document',
    description: 'The link needs no credential and ends after 5 minutes. `Range` is supported.',
    conflict: 'The document is being scanned, or it is infected.',
    answer: {
      status: 200,
      description: 'The link.',
      itemOf: documents.name,
      schema: {
        name: 'document_link',
        schema: strictObject({
          url: { type: 'string', format: 'uri' },
          expires_dt: { type: 'string', format: 'date-time' },
        }),
      },
    },
  })
  async link(
    @Param('id', ItemId) id: number,
    @Res() reply: FastifyReply,
    @Context() { actor }: RequestContext,
  ): Promise<void> {
    const [found] = await this.database.query<Pick<DownloadedDocument, 'scan'> & { readonly uuid: string }>(
      'SELECT uuid, scan FROM documents WHERE id = $1',
      [id],
    );
    if (!found) throw new Problem(404, message`${documents.type.name} ${id} was not found`);
    refuseUnsafe(found);
    const link = this.links.linkTo({ uuid: found.uuid, ...actor });
    void reply.header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(link));
  }
}
