import { ENVIRONMENT } from '@ats/nest-app';
import {
  Controller,
  Delete,
  Head,
  HttpCode,
  Inject,
  type OnModuleInit,
  Param,
  Patch,
  Post,
  Req,
  Res,
} from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { type Environment } from '../config/env.js';
import { ResumableUploads } from '../documents/resumable-uploads.js';
import { optionsOfTus, tusOperation } from '../documents/tus-protocol.js';
import { UploadId } from '../documents/upload-id.pipe.js';
import { AddressLimit } from '../limits/address-limit.js';
import { PUBLIC_PREFIX } from '../request/browser-rules.js';
import { ItemId } from '../request/item-id.pipe.js';
import { RouteTable } from '../request/route-table.js';
import { Operation } from '../vocabulary/operation.js';
import { Public } from '../vocabulary/scopes.js';
import { BOARD_TAG as tag, setLanguage } from './board-answers.js';
import { BoardDocuments } from './board-documents.js';

const PATH = `${PUBLIC_PREFIX}/boards/:code/postings/:id/documents/uploads`;

/** Takes uploads in several requests without a credential. Source: docs/reference/public-board.md, "Documents". */
@Public()
@Controller(PATH.slice(1))
export class BoardUploadsController implements OnModuleInit {
  constructor(
    private readonly documents: BoardDocuments,
    private readonly uploads: ResumableUploads,
    private readonly limit: AddressLimit,
    private readonly routes: RouteTable,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  onModuleInit(): void {
    const options = optionsOfTus(this.environment.DOCUMENT_MAX_BYTES);
    for (const path of [PATH, `${PATH}/:uuid`]) this.routes.announce(path, options);
  }

  @Post()
  @Operation(tusOperation({ tag, action: 'create_upload', summary: 'Begin a resumable upload', status: 201 }))
  async create(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('code') code: string,
    @Param('id', ItemId) id: number,
  ): Promise<void> {
    await this.limit.admit(request, 'boardRequests');
    await this.limit.admit(request, 'boardUploads');
    await this.#answer(request, reply, { code, id });
  }

  @Head(':uuid')
  @Operation(tusOperation({ tag, action: 'get_upload', summary: 'Read the state of a resumable upload', status: 200 }))
  read(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('code') code: string,
    @Param('id', ItemId) id: number,
    @Param('uuid', UploadId) uuid: string,
  ): Promise<void> {
    return this.#continue(request, reply, { code, id, uuid });
  }

  @Patch(':uuid')
  @Operation(tusOperation({ tag, action: 'continue_upload', summary: 'Continue a resumable upload', status: 204 }))
  write(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('code') code: string,
    @Param('id', ItemId) id: number,
    @Param('uuid', UploadId) uuid: string,
  ): Promise<void> {
    return this.#continue(request, reply, { code, id, uuid });
  }

  @Delete(':uuid')
  @HttpCode(204)
  @Operation(tusOperation({ tag, action: 'delete_upload', summary: 'Delete a resumable upload', status: 204 }))
  remove(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('code') code: string,
    @Param('id', ItemId) id: number,
    @Param('uuid', UploadId) uuid: string,
  ): Promise<void> {
    return this.#continue(request, reply, { code, id, uuid });
  }

  async #continue(
    request: FastifyRequest,
    reply: FastifyReply,
    path: { readonly code: string; readonly id: number; readonly uuid: string },
  ): Promise<void> {
    await this.limit.admit(request, 'boardRequests');
    await this.#answer(request, reply, path);
  }

  async #answer(
    request: FastifyRequest,
    reply: FastifyReply,
    { code, id, uuid }: { readonly code: string; readonly id: number; readonly uuid?: string },
  ): Promise<void> {
    const language = setLanguage(request, reply);
    const client = await this.documents.uploadClient({ code, id, request, language });
    await this.uploads.answer(request, reply, client, uuid);
  }
}
