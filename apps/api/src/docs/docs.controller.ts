import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Controller, Get, Req, Res } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { readVersion, VERSION_PARAMETER } from '../openapi/version-parameter.js';
import { compressOnce } from '../request/compression.js';
import { invalidQuery, queryOf, unknownParameters } from '../request/query.js';
import { Operation } from '../vocabulary/operation.js';
import { Public } from '../vocabulary/scopes.js';
import { changelogPage } from './changelog.js';
import { referencePage } from './page.js';
import { readingPolicy, referencePolicy } from './policy.js';

/**
 * The Redoc bundle that the build copies to `dist`, because the package is not installed in production. The path works
 * from `src` and from `dist`. The build removes the URL of the vendor's logo, because the Content-Security-Policy of
 * the page would block it.
 */
const BUNDLE = new URL('../../dist/docs/redoc.standalone.js', import.meta.url);
const A_DAY = 'public, max-age=86400';
const tag = 'reference';

/**
 * Serves the page of the API reference, which shows `/openapi.json`, and the changelog.
 * Source: docs/adr/0004-reference-page.md.
 */
@Public()
@Controller('docs')
export class DocsController {
  #bundle: Promise<Buffer> | undefined;

  @Get()
  @Operation({
    tag,
    summary: 'Read this interface as a page',
    description: '`version` defaults to the version that requests without `Api-Version` get.',
    query: [VERSION_PARAMETER],
    answer: { status: 200, description: 'The page.', text: 'text/html' },
  })
  page(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    const version = readVersion('docs', queryOf(request));
    void reply.header('api-version', version);
    sendPage(reply, { page: (nonce) => referencePage(nonce, version), policy: referencePolicy });
  }

  @Get('changelog')
  @Operation({
    tag,
    summary: 'Read what each version changed',
    query: [],
    answer: { status: 200, description: 'The page.', text: 'text/html' },
  })
  changelog(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    const violations = unknownParameters('docs', queryOf(request), []);
    if (violations.length > 0) throw invalidQuery(violations);
    sendPage(reply, { page: changelogPage, policy: readingPolicy });
  }

  @Get('redoc.standalone.js')
  @Operation({
    tag,
    summary: 'The program of that page',
    answer: { status: 200, description: 'The script.', text: 'text/javascript' },
  })
  async program(@Res() reply: FastifyReply): Promise<void> {
    this.#bundle ??= readFile(BUNDLE).then(compressOnce);
    const bundle = await this.#bundle;
    void reply
      .headers({
        'content-type': 'text/javascript; charset=utf-8',
        'x-content-type-options': 'nosniff',
        'cache-control': A_DAY,
      })
      .send(bundle);
  }
}

type OfNonce = (nonce: string) => string;

function sendPage(reply: FastifyReply, { page, policy }: { readonly page: OfNonce; readonly policy: OfNonce }): void {
  const nonce = randomBytes(16).toString('base64');
  void reply
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy(nonce),
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    })
    .send(page(nonce));
}
