import { ENVIRONMENT } from '@ats/nest-app';
import { Delete, Head, HttpCode, Inject, type OnModuleInit, Patch, Post, Req, Res } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { type Environment } from '../config/env.js';
import { RouteTable } from '../request/route-table.js';
import { Operation } from '../vocabulary/operation.js';
import { isKey } from './document-store.js';
import { ResumableUploads, type UploadClient } from './resumable-uploads.js';
import { noUpload, optionsOfTus, tusOperation } from './tus-protocol.js';

export abstract class TusRoutes {
  @Inject(ENVIRONMENT) protected readonly environment!: Environment;

  /** Returns the client of a request, or refuses the request. */
  protected abstract clientOf(request: FastifyRequest, reply: FastifyReply): UploadClient | Promise<UploadClient>;
}

/**
 * Returns the routes of the protocol tus 1.0 at a path, for a controller to extend.
 * @param path  the path of the collection of uploads
 * @param tag  tag of the operations
 */
export function TusController(path: string, tag: string): typeof TusRoutes {
  abstract class Routes extends TusRoutes implements OnModuleInit {
    @Inject(ResumableUploads) private readonly uploads!: ResumableUploads;
    @Inject(RouteTable) private readonly routes!: RouteTable;

    onModuleInit(): void {
      const options = optionsOfTus(this.environment.DOCUMENT_MAX_BYTES);
      for (const url of [path, `${path}/:uuid`]) this.routes.announce(url, options);
    }

    @Post()
    @Operation(tusOperation({ tag, action: 'create_upload', summary: 'Begin a resumable upload' }, 201))
    async create(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
      await this.uploads.answer(request, reply, await this.clientOf(request, reply));
    }

    @Head(':uuid')
    @Operation(tusOperation({ tag, action: 'get_upload', summary: 'Read the state of a resumable upload' }, 200))
    read(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
      return this.#continue(request, reply);
    }

    @Patch(':uuid')
    @Operation(tusOperation({ tag, action: 'continue_upload', summary: 'Continue a resumable upload' }, 204))
    write(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
      return this.#continue(request, reply);
    }

    @Delete(':uuid')
    @HttpCode(204)
    @Operation(tusOperation({ tag, action: 'delete_upload', summary: 'Delete a resumable upload' }, 204))
    remove(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
      return this.#continue(request, reply);
    }

    async #continue(request: FastifyRequest, reply: FastifyReply): Promise<void> {
      const { uuid } = request.params as { readonly uuid: string };
      const client = await this.clientOf(request, reply);
      if (!isKey(uuid)) throw noUpload();
      await this.uploads.answer(request, reply, client, uuid);
    }
  }
  return Routes;
}
