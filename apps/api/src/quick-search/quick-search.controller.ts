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
    title: { type: 'string', description: 'The name or title of the item.' },
    subtitle: {
      type: ['string', 'null'],
      description: 'Details that distinguish items with the same title, separated by ` · `.',
    },
    score: {
      type: 'number',
      minimum: 0,
      maximum: 1,
      description: 'Similarity of the item to `q`, measured by trigrams. 1 for an exact e-mail address or reference.',
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
      {
        type: 'array',
        items: RESULT,
        description: `The results of this group. Absent without the scope \`${resource.scope}:read\`.`,
      },
    ]),
  ),
  additionalProperties: false,
};

/** The path contains `api` twice on purpose. Source: docs/reference/search.md, "Quick search". */
@Controller('api/v1/api/quick_search')
export class QuickSearchController {
  constructor(private readonly quickSearch: QuickSearchService) {}

  @Get()
  @RequiresScope(...QUICK_SEARCH_SCOPES)
  @ReadsQuery()
  @Operation({
    tag: 'quick_search',
    action: 'search',
    summary: 'Search everything at once',
    description: `This route is for search boxes. It finds candidates by name and e-mail address, vacancies and events
by title and reference, postings by title, and applications by candidate and reference.

- Case and accents are ignored. Words may be incomplete or mistyped, and may stand in any order.
- The results of a group are sorted by \`score\`, best first, then by \`id\`.
- When very many items contain the text, such as a frequent name, the search compares only some of them, so
  items can be missing. Add a word to find a particular item.
- Groups that the credential may not read are absent. Anonymised candidates are never found.`,
    query: QUICK_SEARCH_PARAMETERS,
    answer: {
      status: 200,
      description: 'The results by group.',
      schema: { name: 'quick_search', schema: ANSWER },
    },
  })
  find(@Req() request: FastifyRequest, @Context() context: RequestContext): Promise<QuickSearchAnswer> {
    return this.quickSearch.find(readQuickSearch(queryOf(request)), context);
  }
}
