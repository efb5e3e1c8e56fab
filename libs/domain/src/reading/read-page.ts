import { type SortPosition } from '@ats/search-query';
import { type ReadStatement, SNAPSHOT } from '@ats/postgres';
import {
  type CollectionStatements,
  type CountRow,
  type KeysRequest,
  type PageKey,
  type Reads,
  type WholePage,
} from './collection-statement.js';
import { matchesAll, type PlanChoice } from './plan-choice.js';

/** One page of a collection. */
export interface Page {
  /** The items as the text of a JSON array. */
  readonly body: string;
  /** How many. */
  readonly size: number;
  readonly hasMore: boolean;
  /** The place of the last item of a full page: the next one comes after it. */
  readonly end: SortPosition | null;
  /** What the page saw, see `SNAPSHOT`; nothing to compare with when it is empty. */
  readonly snapshot: string;
  /** The statement that counts what the page is a part of: its text and values tell one such question from another. */
  readonly countKey: string;
  count(counting: Reads): Promise<CountRow>;
}

/** What pages are read with. */
export interface PageReading {
  readonly statements: CollectionStatements;
  readonly choice: PlanChoice;
}

/** What a page is before it is known how it is counted. */
type PageRows = Omit<Page, 'countKey' | 'count'>;

/** Finds and reads one page. Nothing is hydrated: PostgreSQL builds the JSON. */
export async function readPage(pool: Reads, { statements, choice }: PageReading, request: KeysRequest): Promise<Page> {
  const known = await lookUp(pool, statements, request);
  const looked = { ...request, lookups: known?.lookups };
  const isWhole = matchesAll(request.query.condition) && request.selectionId === undefined && !request.offset;
  const count = statements.count(looked);
  const rows = await (isWhole
    ? readAtOnce(pool, statements, looked)
    : readInSteps(pool, { statements, choice }, { request: looked, count }));
  return {
    ...rows,
    countKey: JSON.stringify([count.text, count.parameters]),
    async count(counting) {
      const [row] = await counting.query<CountRow>(count);
      if (!row) throw new Error('the statement that counts gives one row');
      // What was looked up may be older than what was counted: then the count is as old.
      return known ? { total: row.total, snapshot: known.snapshot } : row;
    },
  };
}

async function readAtOnce(pool: Reads, statements: CollectionStatements, request: KeysRequest): Promise<PageRows> {
  const [page] = await pool.query<WholePage>(statements.page(request));
  if (!page) throw new Error('the statement of a page gives one row');
  const { body, found, snapshot } = page;
  return {
    body,
    size: Math.min(found, request.limit),
    hasMore: found > request.limit,
    end: page.id === null ? null : endAt({ id: page.id, keys: page.keys }),
    snapshot,
  };
}

/** A page, and the statement that counts what it is a part of. */
interface CountedRequest {
  readonly request: KeysRequest;
  readonly count: ReadStatement;
}

/** Its ids first, by a statement that is planned for its values, then its rows. */
async function readInSteps(
  pool: Reads,
  { statements, choice }: PageReading,
  { request, count }: CountedRequest,
): Promise<PageRows> {
  const ways = { walk: statements.keys(request), all: count, condition: request.query.condition };
  const matchesFirst = await choice.matchesFirst(pool, ways);
  const began = performance.now();
  const keys = await pool.query<PageKey>(matchesFirst ? statements.keys({ ...request, matchFirst: true }) : ways.walk);
  if (!matchesFirst) choice.noteWalk(ways.walk, performance.now() - began);
  const page = keys.slice(0, request.limit);
  const [rows] = page.length === 0 ? [] : await pool.query<{ body: string }>(statements.rows(page.map(({ id }) => id)));
  const last = page.at(-1);
  return {
    body: rows?.body ?? '[]',
    size: page.length,
    hasMore: keys.length > request.limit,
    end: last ? endAt(last) : null,
    snapshot: last?.snapshot ?? '',
  };
}

const endAt = ({ id, keys }: Pick<PageKey, 'id' | 'keys'>): SortPosition => [...(keys ?? []), String(id)];

async function lookUp(pool: Reads, statements: CollectionStatements, request: KeysRequest) {
  const lookups = statements.lookups(request);
  if (!lookups) return undefined;
  const [row] = await pool.query<Record<string, readonly number[]>>({
    text: `${lookups.text}, ${SNAPSHOT} AS snapshot`,
    parameters: lookups.parameters,
  });
  const { snapshot, ...lists } = row ?? {};
  return { lookups: lookups.read(Object.values(lists)), snapshot: String(snapshot) };
}
