/** The state of a table: its conditions, its order and its columns. */
export interface CollectionQuery {
  readonly search: readonly string[];
  readonly where: string;
  readonly filter: string;
  readonly sort: readonly SortKey[];
  /** Names of properties; empty for the columns that the console chooses. */
  readonly columns: readonly string[];
  /** Ids of stored items, as the parameters of the same names take them. */
  readonly layout: string;
  readonly saved_search: string;
  readonly config_search: string;
  /** The datapath by which the items are counted; empty for none. */
  readonly by: string;
}

/** One element of the parameter `sort`. */
export interface SortKey {
  readonly path: string;
  readonly direction: Direction;
}
export type Direction = 'asc' | 'desc';

export const EMPTY_QUERY: CollectionQuery = {
  search: [],
  where: '',
  filter: '',
  sort: [],
  columns: [],
  layout: '',
  saved_search: '',
  config_search: '',
  by: '',
};

const SINGLE = ['where', 'filter', 'layout', 'saved_search', 'config_search', 'by'] as const;

/**
 * Writes a query as the fragment of an address. A browser sends no fragment to a server, so conditions that name people
 * reach no log.
 */
export function toFragment(query: CollectionQuery): string {
  const parameters = toParameters(query);
  if (query.by !== '') parameters.set('by', query.by);
  if (query.columns.length > 0) parameters.set('columns', query.columns.join(','));
  return parameters.toString();
}

/** Reads the fragment of an address, with or without `#`. Unknown names are ignored. */
export function fromFragment(fragment: string): CollectionQuery {
  const parameters = new URLSearchParams(fragment.replace(/^#/, ''));
  const single = Object.fromEntries(SINGLE.map((name) => [name, parameters.get(name) ?? '']));
  return {
    ...EMPTY_QUERY,
    ...single,
    search: parameters.getAll('search'),
    sort: parameters.getAll('sort').map(parseSortKey),
    columns: (parameters.get('columns') ?? '').split(',').filter((name) => name !== ''),
  };
}

/** Returns the parameters with which the API narrows and orders the collection. */
export function toParameters(query: CollectionQuery): URLSearchParams {
  const parameters = new URLSearchParams();
  for (const text of query.search) parameters.append('search', text);
  for (const name of SINGLE) if (name !== 'by' && query[name] !== '') parameters.set(name, query[name]);
  for (const key of query.sort) parameters.append('sort', formatSortKey(key));
  return parameters;
}

const CONDITIONS = ['search', 'filter', 'where', 'saved_search', 'config_search'];

/** Returns the parameters of `GET …/counts`, which takes the conditions and no order. */
export function toCountParameters(query: CollectionQuery): URLSearchParams {
  const conditions = [...toParameters(query)].filter(([name]) => CONDITIONS.includes(name));
  return new URLSearchParams([['by', query.by], ...conditions]);
}

export const formatSortKey = ({ path, direction }: SortKey): string => `${path}!${direction}`;

export function parseSortKey(text: string): SortKey {
  const [path = '', direction] = text.split('!');
  return { path, direction: direction === 'desc' ? 'desc' : 'asc' };
}

/** Returns the direction in which the items are sorted by a datapath. Undefined when it is no sort key. */
export const directionOf = (query: CollectionQuery, path: string): Direction | undefined =>
  query.sort.find((key) => key.path === path)?.direction;

/**
 * Returns the order after a click on a heading: ascending, then descending, then the usual order. With `isAdded`, the
 * other keys stay.
 */
export function toggleSort(query: CollectionQuery, path: string, isAdded: boolean): CollectionQuery {
  const direction = directionOf(query, path);
  const others = isAdded ? query.sort.filter((key) => key.path !== path) : [];
  if (direction === 'desc') return { ...query, sort: others };
  return { ...query, sort: [...others, { path, direction: direction === 'asc' ? 'desc' : 'asc' }] };
}
