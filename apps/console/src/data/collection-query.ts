/** The conditions, the order and the columns of a table. */
export interface CollectionQuery {
  readonly search: readonly string[];
  readonly where: string;
  readonly filter: string;
  readonly sort: readonly SortKey[];
  /** The names of the shown properties. An empty list stands for the columns that the console chooses. */
  readonly columns: readonly string[];
  /**
   * The ids of a layout and of two stored searches, or empty texts. The API has a query parameter with each of these
   * names.
   */
  readonly layout: string;
  readonly saved_search: string;
  readonly config_search: string;
  /** The datapath by which the items are counted. An empty text stands for no counts. */
  readonly by: string;
}

/** One element of the parameter `sort`: a datapath and its direction. */
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
 * Writes a query as the fragment of an address. Browsers send no fragment to the server, so names of people in
 * conditions get into no log.
 */
export function toFragment(query: CollectionQuery): string {
  const parameters = toParameters(query);
  if (query.by !== '') parameters.set('by', query.by);
  if (query.columns.length > 0) parameters.set('columns', query.columns.join(','));
  return parameters.toString();
}

/** Reads a query from the fragment of an address, with or without `#`. Ignores unknown names. */
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

/** Returns the parameters with which the API filters and orders the collection. */
export function toParameters(query: CollectionQuery): URLSearchParams {
  const parameters = new URLSearchParams();
  for (const text of query.search) parameters.append('search', text);
  for (const name of SINGLE) if (name !== 'by' && query[name] !== '') parameters.set(name, query[name]);
  for (const key of query.sort) parameters.append('sort', formatSortKey(key));
  return parameters;
}

const CONDITIONS = ['search', 'filter', 'where', 'saved_search', 'config_search'];

/** Returns the parameters of `GET …/counts`. They include the conditions, but no order. */
export function toCountParameters(query: CollectionQuery): URLSearchParams {
  const conditions = [...toParameters(query)].filter(([name]) => CONDITIONS.includes(name));
  return new URLSearchParams([['by', query.by], ...conditions]);
}

export const formatSortKey = ({ path, direction }: SortKey): string => `${path}!${direction}`;

export function parseSortKey(text: string): SortKey {
  const [path = '', direction] = text.split('!');
  return { path, direction: direction === 'desc' ? 'desc' : 'asc' };
}

/** Returns the direction in which a datapath sorts the items. Undefined when the datapath is no sort key. */
export const directionOf = (query: CollectionQuery, path: string): Direction | undefined =>
  query.sort.find((key) => key.path === path)?.direction;

/**
 * Returns the order after a click on a heading. The first click sorts ascending, the second descending, and the third
 * removes the sort key. With `isAdded`, the other sort keys stay.
 */
export function toggleSort(query: CollectionQuery, path: string, isAdded: boolean): CollectionQuery {
  const direction = directionOf(query, path);
  const others = isAdded ? query.sort.filter((key) => key.path !== path) : [];
  if (direction === 'desc') return { ...query, sort: others };
  return { ...query, sort: [...others, { path, direction: direction === 'asc' ? 'desc' : 'asc' }] };
}
