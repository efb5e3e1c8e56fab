import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { type Environment } from '../config/env.js';
import { ENVIRONMENT } from '@ats/nest-app';
import { entityTag, matchesTag, weakTag } from '../request/answer.js';
import { compressOnce } from '../request/compression.js';
import { queryOf } from '../request/query.js';
import { VARY } from '../request/vary.js';
import { Operation } from '../vocabulary/operation.js';
import { Public } from '../vocabulary/scopes.js';
import { openApiDocument } from './document.js';
import { Routes } from './routes.js';
import { readVersion, VERSION_PARAMETER } from './version-parameter.js';

/**
 * A cache may keep the document for 5 minutes, although only a release changes it. After an upgrade, links to it must
 * soon show the new one.
 */
const CACHE_CONTROL = 'public, max-age=300';

interface SerialisedDocument {
  readonly body: Buffer;
  readonly tag: string;
}

/** The documents of the process by version, base URL and routes. Apps of one process share them, as in tests. */
const made = new Map<string, SerialisedDocument>();

function serialised(document: object, version: string): SerialisedDocument {
  const text = JSON.stringify(document);
  return { body: compressOnce(Buffer.from(text)), tag: entityTag(text, version) };
}

@Public()
@Controller()
export class OpenApiController {
  /** The documents by version. Each is compressed once for each content coding. */
  readonly #documents = new Map<string, SerialisedDocument>();

  constructor(
    private readonly routes: Routes,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  @Get('openapi.json')
  @Operation({
    tag: 'reference',
    action: 'get_openapi',
    summary: 'Read this interface as an OpenAPI 3.1 document',
    description: '`version` defaults to the version that requests without `Api-Version` get.',
    query: [VERSION_PARAMETER],
    answer: {
      status: 200,
      description: 'The document.',
      headers: ['ETag'],
      schema: {
        name: 'openapi',
        schema: {
          type: 'object',
          properties: {
            openapi: { const: '3.1.0' },
            info: { type: 'object' },
            paths: { type: 'object' },
            components: { type: 'object' },
          },
          required: ['openapi', 'info', 'paths', 'components'],
          additionalProperties: true,
        },
      },
    },
  })
  document(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    const version = readVersion('openapi', queryOf(request));
    const { body, tag } = this.#documentOf(version);
    void reply.headers({ etag: weakTag(tag), 'cache-control': CACHE_CONTROL, 'api-version': version, vary: VARY });
    const known = request.headers['if-none-match'];
    if (known !== undefined && matchesTag(known, tag)) void reply.status(304).send();
    else void reply.header('content-type', 'application/json; charset=utf-8').send(body);
  }

  #documentOf(version: string): SerialisedDocument {
    const known = this.#documents.get(version);
    if (known) return known;
    const { PUBLIC_BASE_URL: baseUrl } = this.environment;
    const routes = this.routes.all();
    const names = routes.map(({ method, path }) => `${method} ${path}`);
    const key = JSON.stringify([version, baseUrl, ...names]);
    const document = made.get(key) ?? serialised(openApiDocument(routes, { baseUrl, version }), version);
    made.set(key, document);
    this.#documents.set(version, document);
    return document;
  }
}
