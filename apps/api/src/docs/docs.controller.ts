import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Controller, Get, Req, Res } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { readVersion, VERSION_PARAMETER } from '../openapi/version-parameter.js';
import { faultyQuery, queryOf, unknownParameters } from '../request/query.js';
import { Operation } from '../vocabulary/operation.js';
import { Public } from '../vocabulary/scopes.js';
import { changelogPage } from './changelog.js';
import { referencePage } from './page.js';
import { readingPolicy, referencePolicy } from './policy.js';

/**
 * Where the build puts it: one file of a package that is not installed in production. Found from sources and build alike.
 * The build takes the address of the makers' logo out of it, which the page's policy would refuse and the console report.
 */
const BUNDLE = new URL('../../dist/docs/redoc.standalone.js', import.meta.url);
const A_DAY = 'public, max-age=86400';
const tag = 'reference';

/** The reference for people: /openapi.json as a page, and what each version changed. Why Redoc: docs/adr/0004-reference-page.md. */
@Public()
@Controller('docs')
export class DocsController {
  #bundle: Promise<Buffer> | undefined;

  @Get()
  @Operation({
    tag,
    summary: 'Read this interface as a page',
    description: 'Without `version`: the default version, which requests get that name none.',
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
    const faults = unknownParameters('docs', queryOf(request), []);
    if (faults.length > 0) throw faultyQuery(faults);
    sendPage(reply, { page: changelogPage, policy: readingPolicy });
  }

  @Get('redoc.standalone.js')
  @Operation({
    tag,
    summary: 'The program of that page',
    answer: { status: 200, description: 'JavaScript.', text: 'text/javascript' },
  })
  async program(@Res() reply: FastifyReply): Promise<void> {
    this.#bundle ??= readFile(BUNDLE);
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
