import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Controller, Get, Module, Res } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { Operation } from '../http/operation.js';
import { Public } from '../http/scopes.js';
import { contentSecurityPolicy, referencePage } from './page.js';

/**
 * Where the build puts it: one file of a package that is not installed in production. Found from sources and build alike.
 * The build takes the address of the makers' logo out of it, which the page's policy would refuse and the console report.
 */
const BUNDLE = new URL('../../dist/docs/redoc.standalone.js', import.meta.url);
const A_DAY = 'public, max-age=86400';
const tag = 'reference';

/** The reference for people: /openapi.json as a page. Why Redoc: docs/adr/0004-reference-page.md. */
@Public()
@Controller('docs')
class DocsController {
  #bundle: Promise<Buffer> | undefined;

  @Get()
  @Operation({ tag, summary: 'Read this interface as a page', answer: { status: 200, description: 'The page.', text: 'text/html' } })
  page(@Res() reply: FastifyReply): void {
    const nonce = randomBytes(16).toString('base64');
    void reply
      .headers({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': contentSecurityPolicy(nonce),
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
      })
      .send(referencePage(nonce));
  }

  @Get('redoc.standalone.js')
  @Operation({ tag, summary: 'The program of that page', answer: { status: 200, description: 'JavaScript.', text: 'text/javascript' } })
  async program(@Res() reply: FastifyReply): Promise<void> {
    this.#bundle ??= readFile(BUNDLE);
    const bundle = await this.#bundle;
    void reply.headers({ 'content-type': 'text/javascript; charset=utf-8', 'x-content-type-options': 'nosniff', 'cache-control': A_DAY }).send(bundle);
  }
}

@Module({ controllers: [DocsController] })
export class DocsModule {}
