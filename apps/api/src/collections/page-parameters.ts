import { type JsonSchema } from '@ats/domain';
import { DEFAULT_PER_PAGE, MAX_CURSOR_LENGTH, MAX_PAGE, MAX_PER_PAGE } from '@ats/pagination';
import { SEARCH_LIMITS } from '@ats/search-query';
import { type QueryParameter } from '../vocabulary/operation.js';
import { VIEW_PARAMETERS } from './view-parameters.js';

const { conditions, filterLength, sortKeys, textLength } = SEARCH_LIMITS;

const ID: JsonSchema = { type: 'integer', minimum: 1 };

/** The parameters of every list that comes in pages. */
export const PAGE_PARAMETERS: readonly QueryParameter[] = [
  {
    name: 'page',
    description: 'Page number, from 1.',
    schema: { type: 'integer', minimum: 1, maximum: MAX_PAGE, default: 1 },
  },
  {
    name: 'per_page',
    description: 'Items on a page.',
    schema: { type: 'integer', minimum: 1, maximum: MAX_PER_PAGE, default: DEFAULT_PER_PAGE },
  },
];

/** The parameters of every collection. Source: SPEC.md 4.1 and 4.2. */
export const COLLECTION_PARAMETERS: readonly QueryParameter[] = [
  ...PAGE_PARAMETERS,
  {
    name: 'after',
    description:
      'Where the page begins, as `next` has it: it costs the same however deep the page lies. Belongs to the link it stands in.',
    schema: { type: 'string', minLength: 1, maxLength: MAX_CURSOR_LENGTH },
  },
  {
    name: 'search',
    description: [
      'A condition `<key><operator><value>`; may be given several times, all must hold.',
      'The key is a JSON pointer into the representation (`*` is any element of a list, `[label]` the one with that label) or a datapath.',
      'Operators: `=` `!=` exact, `=~` `!~` case-insensitive part of the text, `<` `<=` `>` `>=` order.',
      '`{a,b}` after `=` and `!=` is a list; `\\,` `\\{` `\\}` `\\\\` stand for the characters themselves in it.',
      'Nothing after `=` finds what is missing or empty. A date beside a moment is that whole UTC day.',
    ].join(' '),
    schema: { type: 'array', maxItems: conditions, items: { type: 'string', maxLength: textLength } },
  },
  {
    name: 'filter',
    description: 'A text that must be in any attribute marked `x-filterable`, in upper or lower case.',
    schema: { type: 'string', minLength: 1, maxLength: filterLength },
  },
  {
    name: 'sort',
    description:
      'A datapath, then `!asc` or `!desc`; may be given several times. What is missing comes last in both directions, and `id` decides in the end.',
    schema: { type: 'array', maxItems: sortKeys, items: { type: 'string', maxLength: textLength } },
  },
  {
    name: 'saved_search',
    description:
      'Id of a saved search for this collection, your own or a shared one: its conditions hold beside all others, its order where there is no `sort`. What it looks at needs its own read scope.',
    schema: ID,
  },
  {
    name: 'config_search',
    description: 'Id of a configured search for this collection: as `saved_search`, whose order comes first.',
    schema: ID,
  },
  {
    name: 'selection',
    description: 'Id of a selection for this collection: its members alone. Needs the scope `selections:read`.',
    schema: ID,
  },
  ...VIEW_PARAMETERS,
];
