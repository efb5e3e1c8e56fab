import { Controller, Inject } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { type UploadClient } from '../documents/resumable-uploads.js';
import { TusController } from '../documents/tus-controller.js';
import { AddressLimit } from '../limits/address-limit.js';
import { PUBLIC_PREFIX } from '../request/browser-rules.js';
import { ItemId } from '../request/item-id.pipe.js';
import { Public } from '../vocabulary/scopes.js';
import { BOARD_TAG, setLanguage } from './board-answers.js';
import { BoardDocuments } from './board-documents.js';

const PATH = `${PUBLIC_PREFIX}/boards/:code/postings/:id/documents/uploads`;

/** Takes uploads in several requests without a credential. Source: docs/reference/public-board.md, "Documents". */
@Public()
@Controller(PATH.slice(1))
export class BoardUploadsController extends TusController(PATH, BOARD_TAG) {
  @Inject(BoardDocuments) private readonly documents!: BoardDocuments;
  @Inject(AddressLimit) private readonly limit!: AddressLimit;
  readonly #itemId = new ItemId();

  protected async clientOf(request: FastifyRequest, reply: FastifyReply): Promise<UploadClient> {
    await this.limit.admit(request, 'boardRequests');
    if (request.method === 'POST') await this.limit.admit(request, 'boardUploads');
    const { code, id } = request.params as { readonly code: string; readonly id: string };
    const language = setLanguage(request, reply);
    return this.documents.uploadClient({ code, id: this.#itemId.transform(id), request, language });
  }
}
