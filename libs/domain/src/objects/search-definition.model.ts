import { DATAPATH_LIMITS } from '@ats/datapath';
import { SEARCH_LIMITS } from '@ats/search-query';
import { z } from 'zod';
import { boolean, text, textList } from '../vocabulary/attribute.js';
import { collectionName } from '../vocabulary/collection-name.js';
import { identity, urlIn } from '../vocabulary/identity.js';
import { objectType } from '../vocabulary/object-type.js';
import { toOne } from '../vocabulary/relation.js';
import { resource } from '../vocabulary/resource.js';

const { conditions, filterLength, sortKeys, textLength } = SEARCH_LIMITS;

/**
 * A schema that documents the maximum length in the API reference but does not check it. `readSearchTexts` checks the
 * length and the content.
 */
const parameterText = (maxLength: number): z.ZodString => z.string().meta({ maxLength });

const optional = { shown: true, write: 'optional' } as const;

/** The properties of a stored search: a collection, and search parameters in the syntax of the query. */
const definition = {
  name: text({ shown: true, write: 'required' }),
  resource: collectionName({ shown: true, write: 'required' }),
  search: textList({
    ...optional,
    content: 'condition',
    maxItems: conditions,
    element: parameterText(textLength),
    description: 'Conditions in the syntax of the parameter `search`. All of them must hold.',
  }),
  filter: text({
    ...optional,
    nullable: true,
    schema: parameterText(filterLength).nullable(),
    description: 'A free text, as in the parameter `filter`.',
  }),
  where: text({
    ...optional,
    nullable: true,
    column: 'where_expression',
    content: 'expression',
    schema: parameterText(DATAPATH_LIMITS.textLength).nullable(),
    description: 'An expression over the items, as in the parameter `where`. It must hold, too.',
  }),
  sort: textList({
    ...optional,
    content: 'code',
    maxItems: sortKeys,
    element: parameterText(textLength),
    description: 'Sort keys in the syntax of the parameter `sort`. They apply to requests without `sort`.',
  }),
};

/** A stored search of one recruiter. Source: docs/reference/search.md. */
export const savedSearch = objectType({
  name: 'saved_search',
  table: 'saved_searches',
  scopes: ['searches'],
  properties: {
    ...identity(urlIn('saved_searches')),
    ...definition,
    owner: toOne('recruiter', {
      shows: ['id', 'url'],
      description: 'The recruiter of the credential that created the search. No other recruiter can change the search.',
    }),
    is_shared: boolean({ ...optional, description: 'True when other recruiters can read and use the search.' }),
  },
});

/** A stored search for all recruiters. Source: docs/reference/search.md. */
export const configSearch = objectType({
  name: 'config_search',
  table: 'config_searches',
  scopes: ['searches'],
  properties: { ...identity(urlIn('config_searches')), ...definition },
});

export const savedSearches = resource({
  name: 'saved_searches',
  type: savedSearch,
  quotas: [{ most: 1_000, per: ['owner_id'] }, { most: 50_000 }],
  describe: {
    group: 'Views',
    title: 'Saved searches',
    text: `Stored searches of recruiters. \`saved_search=<id>\` applies a search to a collection. A
recruiter sees his or her own searches and the shared ones.`,
  },
  scope: 'searches',
  ownerColumn: 'owner_id',
  sharedColumn: 'is_shared',
});

export const configSearches = resource({
  name: 'config_searches',
  type: configSearch,
  quotas: [{ most: 2_000 }],
  describe: {
    group: 'Views',
    title: 'Configured searches',
    text: 'Stored searches for all users. `config_search=<id>` applies a search to a collection.',
  },
  scope: 'searches',
});
