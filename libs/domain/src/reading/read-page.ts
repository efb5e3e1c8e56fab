import { type SortPosition } from '@ats/search-query';
import { type BodyPiece, joinPieces, type ReadStatement, SNAPSHOT } from '@ats/postgres';
import {
  type CollectionRequest,
  type CollectionStatements,
  type CountRow,
  type Group,
  type GroupsRequest,
  type KeysRequest,
  type PageKey,
  type Reads,
  type WholePage,
} from './collection-statement.js';
import { matchesAll, type PlanChoice } from './plan-choice.js';

/** One page of a collection. */
export interface Page {
  /** The items as a JSON array in UTF-8. */
  readonly body: Buffer;
  /** The ids of the items in their order, as the text of a PostgreSQL array: `{4,7}`. */
  readonly ids: string;
  /** Number of items in the page. */
  readonly size: number;
  readonly hasMore: boolean;
  /** Position of the last item; the next page begins after it. Null for an empty page. */
  readonly end: SortPosition | null;
  /**
   * Snapshot of the page, see `SNAPSHOT`. For an empty page it may be an empty text, which never equals the snapshot of
   * a count.
   */
  readonly snapshot: string;
  /** Cache key of the count of all matches: the SQL text of the count, and its values. */
  readonly countKey: string;
  count(counting: Reads): Promise<CountRow>;
}

/** The compiled statements of a collection, and the `PlanChoice` for its pages. */
export interface PageReading {
  readonly statements: CollectionStatements;
  readonly choice: PlanChoice;
}

type PageRows = Omit<Page, 'countKey' | 'count'>;

/** Finds and reads one page. PostgreSQL builds the JSON text. Source: docs/reference/paging.md. */
export async function readPage(pool: Reads, { statements, choice }: PageReading, request: KeysRequest): Promise<Page> {
  const known = await lookUp(pool, statements, request);
  const looked = { ...request, lookups: known?.lookups };
  const isWhole = matchesAll(request.query.condition) && request.selectionId === undefined && !request.offset;
  const count = statements.count(looked);
  const rows = await (isWhole
    ? readAtOnce(pool, statements, looked)
    : readInSteps(pool, { statements, choice }, { request: looked, count }));
  return { ...rows, ...countedBy(count, known?.snapshot) };
}

/** The ids of the first items of a collection, without their representations. */
export type FoundItems = Pick<Page, 'hasMore' | 'snapshot' | 'countKey' | 'count'> & {
  readonly ids: readonly number[];
};

/** Finds the ids of the first items of a collection. */
export async function findItems(
  pool: Reads,
  { statements, choice }: PageReading,
  request: KeysRequest,
): Promise<FoundItems> {
  const known = await lookUp(pool, statements, request);
  const looked = { ...request, lookups: known?.lookups };
  const count = statements.count(looked);
  const keys = await findKeys(pool, { statements, choice }, { request: looked, count });
  const ids = keys.slice(0, request.limit).map(({ id }) => Number(id));
  const snapshot = keys.at(-1)?.snapshot ?? '';
  return { ids, hasMore: keys.length > ids.length, snapshot, ...countedBy(count, known?.snapshot) };
}

/**
 * Returns the function that counts the items, and the cache key of the count.
 * @param lookedUp  the snapshot of the look-ups that the statement of the count uses
 */
function countedBy(count: ReadStatement, lookedUp: string | undefined): Pick<Page, 'countKey' | 'count'> {
  return {
    countKey: JSON.stringify([count.text, count.parameters]),
    async count(counting) {
      const [row] = await counting.query<CountRow>(count);
      if (!row) throw new Error('the query for the count of a collection returned no row');
      // The count uses the results of the look-ups, which can be older than the count. So the count is returned with
      // the snapshot of the look-ups.
      return lookedUp === undefined ? row : { total: row.total, snapshot: lookedUp };
    },
  };
}

/** Counts the items of each group, the largest group first. Source: docs/reference/search.md, "Counts by group". */
export async function readGroups(
  pool: Reads,
  statements: CollectionStatements,
  request: GroupsRequest,
): Promise<readonly Group[]> {
  const known = await lookUp(pool, statements, request);
  return pool.query<Group>(statements.groups({ ...request, lookups: known?.lookups }));
}

async function readAtOnce(pool: Reads, statements: CollectionStatements, request: KeysRequest): Promise<PageRows> {
  const rows = await pool.query<WholePage>(statements.page(request));
  const page = rows.find(({ part }) => !part);
  if (!page) throw new Error('the query for a page of a collection returned no row');
  const { ids, found, snapshot } = page;
  return {
    body: joinPieces(rows),
    ids: String(ids),
    size: Math.min(found, request.limit),
    hasMore: found > request.limit,
    end: page.id === null ? null : endAt({ id: page.id, keys: page.keys }),
    snapshot: String(snapshot),
  };
}

/** A request for a page, and the statement of its count. */
interface CountedRequest {
  readonly request: KeysRequest;
  readonly count: ReadStatement;
}

/** Finds the keys of a page, and of one more item, in one of the two `Ways`. */
async function findKeys(
  pool: Reads,
  { statements, choice }: PageReading,
  { request, count }: CountedRequest,
): Promise<readonly PageKey[]> {
  const ways = { walk: statements.keys(request), all: count, condition: request.query.condition };
  const matchesFirst = await choice.matchesFirst(pool, ways);
  const began = performance.now();
  const keys = await pool.query<PageKey>(matchesFirst ? statements.keys({ ...request, matchFirst: true }) : ways.walk);
  if (!matchesFirst) choice.recordWalk(ways.walk, performance.now() - began);
  return keys;
}

/** Finds the ids of the page, then reads their rows with a second statement. */
async function readInSteps(pool: Reads, reading: PageReading, counted: CountedRequest): Promise<PageRows> {
  const { statements } = reading;
  const { request } = counted;
  const keys = await findKeys(pool, reading, counted);
  const page = keys.slice(0, request.limit);
  const ids = `{${page.map(({ id }) => id).join(',')}}`;
  const body = page.length === 0 ? Buffer.from('[]') : joinPieces(await pool.query<BodyPiece>(statements.rows(ids)));
  const last = page.at(-1);
  return {
    body,
    ids,
    size: page.length,
    hasMore: keys.length > request.limit,
    end: last ? endAt(last) : null,
    snapshot: last?.snapshot ?? '',
  };
}

const endAt = ({ id, keys }: Pick<PageKey, 'id' | 'keys'>): SortPosition => [...(keys ?? []), String(id)];

export async function lookUp(pool: Reads, statements: CollectionStatements, request: CollectionRequest) {
  const lookups = statements.lookups(request);
  if (!lookups) return undefined;
  const [row] = await pool.query<Record<string, readonly number[]>>({
    text: `${lookups.text}, ${SNAPSHOT} AS snapshot`,
    parameters: lookups.parameters,
  });
  const { snapshot, ...lists } = row ?? {};
  return { lookups: lookups.read(Object.values(lists)), snapshot: String(snapshot) };
}
