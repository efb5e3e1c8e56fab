import { ENVIRONMENT } from '@ats/nest-app';
import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { type Environment } from '../config/env.js';
import { AddressLimit } from '../limits/address-limit.js';
import { entityTag, matchesTag } from '../request/answer.js';
import { PUBLIC_PREFIX } from '../request/browser-rules.js';
import { Operation, type OperationDescription } from '../vocabulary/operation.js';
import { Public } from '../vocabulary/scopes.js';
import { BOARD_TAG, boardUrl, CACHE_CONTROL, CODE_PARAMETER } from './board-answers.js';
import { BoardReader } from './board-reader.js';
import { indeedFeed, rssFeed } from './feeds.js';

const INDEED_TYPE = 'application/xml';
const RSS_TYPE = 'application/rss+xml';

const feedOperation = (action: string, summary: string, type: string): OperationDescription => ({
  tag: BOARD_TAG,
  action,
  summary,
  description: 'The newest 10,000 open postings. Programs for feeds may add query parameters to the URL.',
  path: CODE_PARAMETER,
  takesAnyQuery: true,
  answer: { status: 200, description: 'The feed.', headers: ['ETag'], text: type },
  otherErrors: [
    { status: 404, description: 'The board is not public.' },
    { status: 429, description: 'The IP address exceeds its limit of requests.', headers: ['Retry-After'] },
  ],
});

/** Serves the feeds of public job boards. Source: docs/reference/public-board.md, "Feeds". */
@Public()
@Controller(`${PUBLIC_PREFIX}/boards/:code/feeds`.slice(1))
export class FeedsController {
  constructor(
    private readonly reader: BoardReader,
    private readonly limit: AddressLimit,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  @Get('indeed.xml')
  @Operation(feedOperation('get_indeed_feed', 'Read the open postings in the XML format of Indeed', INDEED_TYPE))
  indeed(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Param('code') code: string): Promise<void> {
    return this.#send({ request, reply, code }, INDEED_TYPE, indeedFeed);
  }

  @Get('rss.xml')
  @Operation(feedOperation('get_rss_feed', 'Read the open postings as RSS 2.0', RSS_TYPE))
  rss(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Param('code') code: string): Promise<void> {
    return this.#send({ request, reply, code }, RSS_TYPE, rssFeed);
  }

  async #send(
    { request, reply, code }: { request: FastifyRequest; reply: FastifyReply; code: string },
    type: string,
    write: typeof rssFeed,
  ): Promise<void> {
    await this.limit.admit(request, 'boardRequests');
    const url = boardUrl(this.environment, code);
    const body = write(await this.reader.feed(code), {
      self: `${url}/feeds/${type === RSS_TYPE ? 'rss' : 'indeed'}.xml`,
      postingUrl: (id) => `${url}/postings/${id}`,
    });
    const tag = entityTag(body, type);
    void reply.headers({ etag: tag, 'cache-control': CACHE_CONTROL, 'content-type': `${type}; charset=utf-8` });
    const known = request.headers['if-none-match'];
    if (known !== undefined && matchesTag(known, tag)) void reply.status(304).send();
    else void reply.send(body);
  }
}
