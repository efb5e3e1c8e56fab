import { Controller, Get, Header, Inject, Req, Res } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { type Environment } from '../config/env.js';
import { ENVIRONMENT } from '@ats/nest-app';
import { compressOnce } from '../request/compression.js';
import { queryOf } from '../request/query.js';
import { Operation } from '../vocabulary/operation.js';
import { Public } from '../vocabulary/scopes.js';
import { openApiDocument } from './document.js';
import { Routes } from './routes.js';
import { readVersion, VERSION_PARAMETER } from './version-parameter.js';

@Public()
@Controller()
export class OpenApiController {
  /** Serialised documents by version. */
  readonly #documents = new Map<string, Buffer>();

  constructor(
    private readonly routes: Routes,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  @Get('openapi.json')
  @Header('cache-control', 'no-cache')
  @Operation({
    tag: 'reference',
    summary: 'Read this interface as an OpenAPI 3.1 document',
    description: '`version` defaults to the version that requests without `Api-Version` get.',
    query: [VERSION_PARAMETER],
    answer: {
      status: 200,
      description: 'The document.',
      schema: {
        name: 'openapi',
        schema: {
          type: 'object',
          properties: { openapi: { const: '3.1.0' } },
          required: ['openapi', 'info', 'paths', 'components'],
        },
      },
    },
  })
  document(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    const version = readVersion('openapi', queryOf(request));
    const document =
      this.#documents.get(version) ??
      compressOnce(
        Buffer.from(
          JSON.stringify(openApiDocument(this.routes.all(), { baseUrl: this.environment.PUBLIC_BASE_URL, version })),
        ),
      );
    this.#documents.set(version, document);
    void reply.headers({ 'content-type': 'application/json; charset=utf-8', 'api-version': version }).send(document);
  }
}
