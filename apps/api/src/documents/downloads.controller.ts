import { documents } from '@ats/domain';
import { Database } from '@ats/postgres';
import { message } from '@ats/message';
import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { AuditLog } from '../audit/audit-log.js';
import { addressOf } from '../limits/address.js';
import { queryOf } from '../request/query.js';
import { BYTES, Operation } from '../vocabulary/operation.js';
import { Problem } from '../vocabulary/problem.js';
import { Public } from '../vocabulary/scopes.js';
import { DocumentLinks } from './document-links.js';
import { DocumentStore } from './document-store.js';
import { type DownloadedDocument, refuseUnsafe, sendDocument } from './download.js';

/** Serves the links to documents. A link needs no credential. Source: docs/reference/documents.md, "Downloads". */
@Public()
@Controller('documents')
export class DownloadsController {
  constructor(
    private readonly database: Database,
    private readonly store: DocumentStore,
    private readonly links: DocumentLinks,
    private readonly audit: AuditLog,
  ) {}

  @Get(':uuid')
  @Operation({
    tag: documents.name,
    action: 'download',
    summary: 'Download a document by its link',
    description: `Use the \`url\` of \`GET /documents/<id>/link\` as it is. The answer is an attachment. \`Range\` with one
part is answered with 206.`,
    path: { uuid: { description: 'The `uuid` of the document.', schema: { type: 'string' } } },
    query: ['expires', 'client', 'signature'].map((name) => ({
      name,
      description: 'A part of the link, sent unchanged.',
      schema: { type: 'string' },
      required: true,
    })),
    answer: { status: 200, description: 'The bytes of the document.', text: BYTES, isFile: true, headers: ['ETag'] },
    conflict: 'The document is being scanned, or it is infected.',
    otherErrors: [
      { status: 403, description: 'The link has expired or was changed.' },
      { status: 404, description: 'The document was deleted.' },
      { status: 416, description: 'The requested range is outside of the document.' },
    ],
    isNeverCached: true,
  })
  async download(
    @Param('uuid') uuid: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const linked = this.links.open(uuid, queryOf(request));
    if (!linked) throw new Problem(403, message`The link is invalid or has expired: request a new one`);
    const [document] = await this.database.query<DownloadedDocument>(
      'SELECT id, name, media_type, size, sha256, scan, storage_key FROM documents WHERE uuid = $1',
      [uuid],
    );
    if (!document) throw new Problem(404, message`The document was deleted`);
    refuseUnsafe(document);
    const client = { actor: linked, address: addressOf(request), requestId: request.id };
    this.audit.personalDataRead(client, { collection: documents.name, itemIds: `{${document.id}}`, itemCount: 1 });
    await sendDocument(reply, document, this.store);
  }
}
