import { Controller, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { UPLOAD_BODY, UPLOAD_PARAMETERS } from '../documents/upload.dto.js';
import { AddressLimit } from '../limits/address-limit.js';
import { PUBLIC_PREFIX } from '../request/browser-rules.js';
import { ItemId } from '../request/item-id.pipe.js';
import { ReadsQuery } from '../request/query.js';
import { Operation } from '../vocabulary/operation.js';
import { Public } from '../vocabulary/scopes.js';
import { BOARD_TAG, CODE_PARAMETER, DOCUMENT_SCHEMA, LIMITED, NOT_FOUND, setLanguage } from './board-answers.js';
import { BoardDocuments, FORM_TOKEN } from './board-documents.js';

/** Takes uploads without a credential. Source: docs/reference/public-board.md, "Documents". */
@Public()
@Controller(`${PUBLIC_PREFIX}/boards`.slice(1))
export class BoardDocumentsController {
  constructor(
    private readonly documents: BoardDocuments,
    private readonly limit: AddressLimit,
  ) {}

  @Post(':code/postings/:id/documents')
  @HttpCode(201)
  @ReadsQuery()
  @Operation({
    tag: BOARD_TAG,
    action: 'upload_document',
    summary: 'Upload a document for an application through a public job board',
    description: `Send the file itself as the body, of any media type, with \`kind\` and \`name\` in the query. Or send
\`multipart/form-data\` with the parts \`file\`, \`kind\` and \`name\`. In both cases the query must have the
\`token\` of the form. The answer has a property \`document\`. Send its value in \`documents\` of the
application within 24 hours. Uploads with tus 1.0 at \`…/uploads\` can be resumed.`,
    path: CODE_PARAMETER,
    query: [
      ...UPLOAD_PARAMETERS,
      { name: FORM_TOKEN, description: 'The `token` of the form.', schema: { type: 'string' }, required: true },
    ],
    body: UPLOAD_BODY,
    answer: {
      status: 201,
      description: 'The document is stored.',
      headers: ['Content-Language'],
      schema: { name: 'public_document', schema: DOCUMENT_SCHEMA },
    },
    otherErrors: [
      { status: 400, description: 'A parameter is invalid, or the body is missing or malformed.' },
      NOT_FOUND,
      { status: 413, description: 'The file has more bytes than `DOCUMENT_MAX_BYTES`.' },
      { status: 422, description: 'The form data has violations, or the file is empty.' },
      LIMITED,
    ],
    isNeverCached: true,
  })
  async upload(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('code') code: string,
    @Param('id', ItemId) id: number,
  ): Promise<void> {
    await this.limit.admit(request, 'boardRequests');
    await this.limit.admit(request, 'boardUploads');
    const language = setLanguage(request, reply);
    const document = await this.documents.receive({ code, id, request, language });
    void reply.header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(document));
  }
}
