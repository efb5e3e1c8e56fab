import { type JsonSchema } from '@ats/domain';
import { DEFAULT_PER_PAGE, MAX_CURSOR_LENGTH, MAX_PAGE, MAX_PER_PAGE } from '@ats/pagination';
import { DATAPATH_LIMITS } from '@ats/datapath';
import { SEARCH_LIMITS } from '@ats/search-query';
import { type QueryParameter } from '../vocabulary/operation.js';
import { FORMAT_PARAMETER } from './export-format.js';
import { VIEW_PARAMETERS } from './view-parameters.js';

const { conditions, filterLength, sortKeys, textLength } = SEARCH_LIMITS;

const ID: JsonSchema = { type: 'integer', minimum: 1 };

/** The parameters of every list with pages. */
export const PAGE_PARAMETERS: readonly QueryParameter[] = [
  {
    name: 'page',
    description: 'Page number, from 1.',
    schema: { type: 'integer', minimum: 1, maximum: MAX_PAGE, default: 1 },
    isPaging: true,
  },
  {
    name: 'per_page',
    description: 'Number of items per page.',
    schema: { type: 'integer', minimum: 1, maximum: MAX_PER_PAGE, default: DEFAULT_PER_PAGE },
    isPaging: true,
  },
];

/** The parameter with the handle of a stored query. Source: docs/reference/paging.md, "Long queries". */
export const STORED_QUERY_PARAMETER: QueryParameter = {
  name: 'query',
  description:
    'Handle of a stored query, from a link of this collection. It stands for all parameters of that query, and can ' +
    'be combined only with the parameters that choose a page. A handle expires 7 days after its last use.',
  schema: { type: 'string', minLength: 32, maxLength: 32 },
};

/** The parameters of every collection. Source: docs/reference/paging.md, docs/reference/search.md. */
export const COLLECTION_PARAMETERS: readonly QueryParameter[] = [
  ...PAGE_PARAMETERS,
  {
    name: 'after',
    description:
      'Cursor of a `next` link. With a cursor, a late page is as fast as the first one. ' +
      'The cursor is valid only together with the other parameters of its link. ' +
      'In an export, `after` is the id of the last item before.',
    schema: { type: 'string', minLength: 1, maxLength: MAX_CURSOR_LENGTH },
    isPaging: true,
  },
  {
    name: 'search',
    description: [
      'A condition `<key><operator><value>`. May be repeated: an item must meet all conditions.',
      'The key is a datapath or a JSON pointer into the representation.',
      'In a pointer, `*` is any element of a list, and `[label]` is the element with that label.',
      'Operators: `=` and `!=` compare exactly, `=~` and `!~` look for a part of the text and ignore case,',
      '`<`, `<=`, `>` and `>=` compare by order.',
      'After `=` and `!=`, `{a,b}` is a list of values.',
      'In such a list of values, write the characters `,` `{` `}` `\\` as `\\,` `\\{` `\\}` `\\\\`.',
      'An empty value after `=` finds missing and empty values.',
      'A date that is compared with a timestamp stands for that whole day in UTC.',
      'Keys of dates and timestamps accept `DATE("today") - DTDURATION(7,0,0,0)`, computed for each request.',
      'A value outside a closed list, such as an unknown status, is a violation that names the legal values.',
    ].join(' '),
    schema: { type: 'array', maxItems: conditions, items: { type: 'string', maxLength: textLength } },
  },
  {
    name: 'filter',
    description:
      'Finds items with this text in any attribute that `GET /schemas/{resource}` marks as `x-filterable`. Case does ' +
      'not matter.',
    schema: { type: 'string', minLength: 1, maxLength: filterLength },
  },
  {
    name: 'where',
    description:
      'An expression over the items, as in topics: comparisons of datapaths with `==`, `!=`, `<`, `<=`, `>`, `>=`, ' +
      '`=~`, `!~`, `IN` and `NOT IN`, joined by `AND`, `OR`, `NOT` and parentheses, with dates, durations and sums. ' +
      'It applies in addition to all other conditions.',
    schema: { type: 'string', minLength: 1, maxLength: DATAPATH_LIMITS.textLength },
  },
  {
    name: 'sort',
    description:
      'A datapath followed by `!asc` or `!desc`. May be repeated. ' +
      'Missing values are last in both directions. Items with equal values are ordered by `id`.',
    schema: { type: 'array', maxItems: sortKeys, items: { type: 'string', maxLength: textLength } },
  },
  {
    name: 'saved_search',
    description:
      'Id of a saved search for this collection, your own or a shared one. Its conditions apply in addition to all ' +
      'others, and its order applies when there is no `sort`. The credential needs the read scopes of its datapaths.',
    schema: ID,
  },
  {
    name: 'config_search',
    description:
      'Id of a configured search for this collection. It works like `saved_search`. ' +
      'With both parameters, the sort keys of the saved search come first.',
    schema: ID,
  },
  {
    name: 'selection',
    description:
      'Id of a selection for this collection. The page lists only members of the selection. ' +
      'The parameter needs the scope `selections:read`.',
    schema: ID,
  },
  ...VIEW_PARAMETERS,
  FORMAT_PARAMETER,
];
