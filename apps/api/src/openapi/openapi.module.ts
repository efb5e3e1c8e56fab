import { Controller, Get, Header, Inject, Module, Res } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { type FastifyReply } from 'fastify';
import { type Environment } from '../config/env.js';
import { ENVIRONMENT } from '../config/environment.module.js';
import { Operation } from '../http/operation.js';
import { Public } from '../http/scopes.js';
import { openApiDocument } from './document.js';
import { Routes } from './routes.js';

@Public()
@Controller()
class OpenApiController {
  #document: string | undefined;

  constructor(
    private readonly routes: Routes,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  @Get('openapi.json')
  @Header('cache-control', 'no-cache')
  @Operation({
    tag: 'reference',
    summary: 'Read this interface as an OpenAPI 3.1 document',
    answer: {
      status: 200,
      description: 'The document.',
      schema: { name: 'openapi', schema: { type: 'object', properties: { openapi: { const: '3.1.0' } }, required: ['openapi', 'info', 'paths', 'components'] } },
    },
  })
  document(@Res() reply: FastifyReply): void {
    this.#document ??= JSON.stringify(openApiDocument(this.routes.all(), this.environment.PUBLIC_BASE_URL));
    void reply.header('content-type', 'application/json; charset=utf-8').send(this.#document);
  }
}

@Module({ imports: [DiscoveryModule], controllers: [OpenApiController], providers: [Routes] })
export class OpenApiModule {}
