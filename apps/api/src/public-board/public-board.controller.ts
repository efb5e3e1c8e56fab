import { ENVIRONMENT } from '@ats/nest-app';
import { Controller, Get, HttpCode, Inject, Param, Post, Req, Res } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { type Environment } from '../config/env.js';
import { AddressLimit } from '../limits/address-limit.js';
import { entityTag, matchesTag, sendItem } from '../request/answer.js';
import { PUBLIC_PREFIX } from '../request/browser-rules.js';
import { ItemId } from '../request/item-id.pipe.js';
import { queryOf, ReadsQuery } from '../request/query.js';
import { Operation, type QueryParameter } from '../vocabulary/operation.js';
import { Public } from '../vocabulary/scopes.js';
import {
  BOARD_TAG,
  boardUrl,
  CACHE_CONTROL,
  CODE_PARAMETER,
  FORM_SCHEMA,
  item,
  LIMITED,
  listed,
  NOT_FOUND,
  POSTING_ITEM_SCHEMA,
  POSTING_SCHEMA,
  RECEIVED,
  RECEIVED_SCHEMA,
  setLanguage,
} from './board-answers.js';
import { boardApplicationSchema } from './application-form.js';
import { BoardApplications } from './board-applications.js';
import { BoardTokens } from './board-tokens.js';
import { BoardReader, DEFAULT_LIMIT, MAX_LIMIT } from './board-reader.js';

const text = { type: 'string' };
const LIST_QUERY: readonly QueryParameter[] = [
  {
    name: 'q',
    description: 'Words that must all occur in the title, the description, the department or the location.',
    schema: text,
  },
  { name: 'location', description: 'Only postings with this location.', schema: text },
  { name: 'department', description: 'Only postings of this department.', schema: text },
  { name: 'employment_type', description: 'Only postings with this employment type.', schema: text },
  {
    name: 'limit',
    description: 'The number of postings in one answer.',
    schema: { type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT },
  },
  { name: 'after', description: 'The cursor of a `next` link.', schema: text, isPaging: true },
];

/**
 * Returns the `Link` header of a page. It links to the first page and, unless this is the last page, to the next one.
 */
function linksOf(list: string, query: URLSearchParams, next: string | undefined): string {
  query.delete('after');
  const first = query.size > 0 ? `${list}?${query.toString()}` : list;
  if (next === undefined) return `<${first}>; rel="first"`;
  query.set('after', next);
  return `<${first}>; rel="first", <${list}?${query.toString()}>; rel="next"`;
}

/** Serves open postings and takes applications. Clients need no credential. Source: docs/reference/public-board.md. */
@Public()
@Controller(`${PUBLIC_PREFIX}/boards`.slice(1))
export class PublicBoardController {
  constructor(
    private readonly reader: BoardReader,
    private readonly applications: BoardApplications,
    private readonly tokens: BoardTokens,
    private readonly limit: AddressLimit,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  @Get(':code/postings')
  @ReadsQuery()
  @Operation({
    tag: BOARD_TAG,
    summary: 'List the open postings of a public job board',
    description: 'The newest posting comes first. `Link` leads to the next page, `X-Total-Count` counts all matches.',
    query: LIST_QUERY,
    path: CODE_PARAMETER,
    answer: {
      status: 200,
      description: 'The postings.',
      headers: ['ETag', 'Link', 'X-Total-Count'],
      schema: { name: 'public_posting', schema: POSTING_SCHEMA, isList: true },
    },
    otherErrors: [{ status: 400, description: 'A parameter is invalid.' }, NOT_FOUND, LIMITED],
  })
  async list(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Param('code') code: string): Promise<void> {
    await this.limit.admit(request, 'boardRequests');
    const query = queryOf(request);
    const { board, postings, count, next } = await this.reader.page(code, query);
    const url = boardUrl(this.environment, code);
    const body = JSON.stringify(postings.map((posting) => listed({ board, posting }, url)));
    const etag = entityTag(body, String(count));
    void reply.headers({ etag, 'cache-control': CACHE_CONTROL });
    if (!matchesTag(request.headers['if-none-match'] ?? '', etag))
      void reply.headers({ link: linksOf(`${url}/postings`, query, next), 'x-total-count': String(count) });
    sendItem(reply, body);
  }

  @Get(':code/postings/:id')
  @Operation({
    tag: BOARD_TAG,
    action: 'get_posting',
    summary: 'Read an open posting of a public job board',
    path: CODE_PARAMETER,
    answer: {
      status: 200,
      description: 'The posting, with its JSON-LD.',
      headers: ['ETag'],
      schema: { name: 'public_posting_item', schema: POSTING_ITEM_SCHEMA },
    },
    otherErrors: [NOT_FOUND, LIMITED],
  })
  async posting(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('code') code: string,
    @Param('id', ItemId) id: number,
  ): Promise<void> {
    await this.limit.admit(request, 'boardRequests');
    const found = await this.reader.posting(code, id);
    void reply.header('cache-control', CACHE_CONTROL);
    sendItem(reply, JSON.stringify(item(found, boardUrl(this.environment, code))));
  }

  @Get(':code/postings/:id/form')
  @Operation({
    tag: BOARD_TAG,
    action: 'get_form',
    summary: 'Read the application form of a posting as JSON Schema',
    description: `The labels have the language of \`Accept-Language\`. \`x-visible-if\` is the condition under which a
question is visible, in the expression language. Caches must not store the answer, because its \`token\` contains the
time of the request and is accepted for 24 hours.`,
    path: CODE_PARAMETER,
    answer: {
      status: 200,
      description: 'The form.',
      schema: { name: 'public_application_form', schema: FORM_SCHEMA },
      headers: ['Content-Language'],
    },
    otherErrors: [
      NOT_FOUND,
      { status: 406, description: 'The client accepts none of the supported languages.' },
      LIMITED,
    ],
    isNeverCached: true,
  })
  async form(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('code') code: string,
    @Param('id', ItemId) id: number,
  ): Promise<void> {
    await this.limit.admit(request, 'boardRequests');
    const language = setLanguage(request, reply);
    const found = await this.reader.posting(code, id);
    const form = {
      url: `${boardUrl(this.environment, code)}/postings/${id}/applications`,
      documents_url: `${boardUrl(this.environment, code)}/postings/${id}/documents`,
      token: this.tokens.ofForm(id),
      schema: await this.reader.form(found, language),
    };
    void reply.header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(form));
  }

  @Post(':code/postings/:id/applications')
  @HttpCode(202)
  @Operation({
    tag: BOARD_TAG,
    action: 'apply',
    summary: 'Apply through a public job board',
    description: `The answer is the same for everyone, also for people who are stored or have applied before. For a stored
person, the given name and address change nothing. One answer reports all violations.`,
    path: CODE_PARAMETER,
    body: {
      name: 'public_application',
      schema: boardApplicationSchema,
      example: {
        candidate: { firstname: 'Ada', lastname: 'Lovelace', email: 'ada@example.com' },
        token: 'the token of the form',
      },
    },
    answer: {
      status: 202,
      description: 'The application was received.',
      headers: ['Content-Language'],
      schema: { name: 'public_application_received', schema: RECEIVED_SCHEMA },
    },
    errorCodes: { not_visible: 'the question is not visible with these answers' },
    otherErrors: [
      { status: 400, description: 'The body is missing or not valid JSON.' },
      NOT_FOUND,
      { status: 422, description: 'The application has violations. Each names its place in the body.' },
      LIMITED,
    ],
    isNeverCached: true,
  })
  async apply(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('code') code: string,
    @Param('id', ItemId) id: number,
  ): Promise<void> {
    await this.limit.admit(request, 'boardRequests');
    await this.limit.admit(request, 'boardApplications');
    const language = setLanguage(request, reply);
    await this.applications.apply({ code, id, request, language });
    void reply.header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(RECEIVED));
  }
}
