import { type JsonSchema, QUICK_SEARCH_GROUPS } from '@ats/domain';
import { Controller, Get, Req } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { queryOf, ReadsQuery } from '../request/query.js';
import { Context, type RequestContext } from '../request/request-context.js';
import { Operation } from '../vocabulary/operation.js';
import { RequiresScope } from '../vocabulary/scopes.js';
import { QUICK_SEARCH_PARAMETERS, readQuickSearch } from './quick-search-parameters.js';
import { QUICK_SEARCH_SCOPES, type QuickSearchAnswer, QuickSearchService } from './quick-search.service.js';

const RESULT: JsonSchema = {
  type: 'object',
  properties: {
    id: { type: 'integer', minimum: 1 },
    url: { type: 'string', format: 'uri' },
    title: { type: 'string', description: 'What people call it: a full name, a title.' },
    subtitle: {
      type: ['string', 'null'],
      description: 'What tells it from others with the same title, parts separated by ` · `.',
    },
    score: {
      type: 'number',
      minimum: 0,
      maximum: 1,
      description: 'How much it is what was looked for, by trigrams; 1 for the very address or reference.',
    },
  },
  required: ['id', 'url', 'title', 'subtitle', 'score'],
  additionalProperties: false,
};

const ANSWER: JsonSchema = {
  type: 'object',
  properties: Object.fromEntries(
    QUICK_SEARCH_GROUPS.map(({ name, resource }) => [
      name,
      { type: 'array', items: RESULT, description: `Absent without the scope \`${resource.scope}:read\`.` },
    ]),
  ),
  additionalProperties: false,
};

/** What a search box asks. Its path has `api` twice: SPEC.md 4. */
@Controller('api/v1/api/quick_search')
export class QuickSearchController {
  constructor(private readonly quickSearch: QuickSearchService) {}

  @Get()
  @RequiresScope(...QUICK_SEARCH_SCOPES)
  @ReadsQuery()
  @Operation({
    tag: 'quick_search',
    summary: 'Search everything at once',
    description: `For a search box: people by name and address, vacancies and events by title and reference, postings by title, applications by who applies and
by reference. Case and accents do not count, words may be begun or mistyped, and stand in any order. Each group has the best first, equal ones by
\`id\`. Of what very many items have in common, such as a frequent name, some of those that have it are compared: say more to find one of them.

Groups that the credential may not read are absent. Candidates who are anonymised are not found.`,
    query: QUICK_SEARCH_PARAMETERS,
    answer: {
      status: 200,
      description: 'What was found, group by group.',
      schema: { name: 'quick_search', schema: ANSWER },
    },
  })
  find(@Req() request: FastifyRequest, @Context() context: RequestContext): Promise<QuickSearchAnswer> {
    return this.quickSearch.find(readQuickSearch(queryOf(request)), context);
  }
}
