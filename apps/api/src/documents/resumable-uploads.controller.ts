import { API_PREFIX, documents } from '@ats/domain';
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
import { Context, type RequestContext } from '../request/request-context.js';
import { RouteTable } from '../request/route-table.js';
import { Operation } from '../vocabulary/operation.js';
import { RequiresScope } from '../vocabulary/scopes.js';
import { ResumableUploads } from './resumable-uploads.js';
import { optionsOfTus, tusOperation } from './tus-protocol.js';
import { UploadId } from './upload-id.pipe.js';

const PATH = `${API_PREFIX}/${documents.paths[0]}/uploads`;
const tag = documents.name;

/**
 * Serves uploads in several requests, with the protocol tus 1.0.
 * Source: docs/reference/documents.md, "Resumable uploads".
 */
@Controller(PATH.slice(1))
@RequiresScope('documents:create')
export class ResumableUploadsController implements OnModuleInit {
  constructor(
    private readonly uploads: ResumableUploads,
    private readonly routes: RouteTable,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  onModuleInit(): void {
    const options = optionsOfTus(this.environment.DOCUMENT_MAX_BYTES);
    for (const path of [PATH, `${PATH}/:uuid`]) this.routes.announce(path, options);
  }

  @Post()
  @Operation(tusOperation({ tag, action: 'create_upload', summary: 'Begin a resumable upload', status: 201 }))
  create(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Context() context: RequestContext,
  ): Promise<void> {
    return this.#answer(request, reply, context);
  }

  @Head(':uuid')
  @Operation(tusOperation({ tag, action: 'get_upload', summary: 'Read the state of a resumable upload', status: 200 }))
  read(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Context() context: RequestContext,
    @Param('uuid', UploadId) uuid: string,
  ): Promise<void> {
    return this.#answer(request, reply, context, uuid);
  }

  @Patch(':uuid')
  @Operation(tusOperation({ tag, action: 'continue_upload', summary: 'Continue a resumable upload', status: 204 }))
  write(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Context() context: RequestContext,
    @Param('uuid', UploadId) uuid: string,
  ): Promise<void> {
    return this.#answer(request, reply, context, uuid);
  }

  @Delete(':uuid')
  @HttpCode(204)
  @Operation(tusOperation({ tag, action: 'delete_upload', summary: 'Delete a resumable upload', status: 204 }))
  remove(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Context() context: RequestContext,
    @Param('uuid', UploadId) uuid: string,
  ): Promise<void> {
    return this.#answer(request, reply, context, uuid);
  }

  #answer(request: FastifyRequest, reply: FastifyReply, context: RequestContext, uuid?: string): Promise<void> {
    const { credentialId } = context.actor;
    const url = `${this.environment.PUBLIC_BASE_URL}${PATH}`;
    const client = { context, owner: { credentialId, postingId: null }, url, nameOf: String };
    return this.uploads.answer(request, reply, client, uuid);
  }
}
