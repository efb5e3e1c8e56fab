import {
  compileConditionSql,
  compileLookupsSql,
  compileSortSql,
  type CollectionQuery,
  type Lookups,
  type LookupsSql,
  type SortPosition,
  type SortSql,
  SqlParameters,
} from '@ats/search-query';
import { prepared, type ReadStatement, SNAPSHOT } from '@ats/postgres';
import { listText } from './json-text.js';
import { objectModel } from '../objects/object-model.js';
import { type RowSource } from '../vocabulary/resource.js';
import { conditionsOf, representationJson, sqlSettings, tableOf, type ReadSettings } from './representation-sql.js';

/** Where statements run: a pool of connections, or one connection. */
export interface Reads {
  query<Row extends object>(statement: ReadStatement): Promise<Row[]>;
}

/** Which items of a collection. */
export interface CollectionRequest {
  readonly query: CollectionQuery;
  /** Of a collection that lives below an item of another. */
  readonly ownerId?: number;
  /** Only members of this selection. */
  readonly selectionId?: number;
}

/** What was looked up for the condition of a request. */
interface LookedUp {
  readonly lookups?: Lookups | undefined;
}

export interface KeysRequest extends CollectionRequest, LookedUp {
  readonly limit: number;
  /** Items to pass over: the database walks by each of them. */
  readonly offset?: number;
  /** The item before the first, which costs nothing to pass. */
  readonly after?: SortPosition | undefined;
  /** Finds all that match before it thinks of their order. */
  readonly matchFirst?: boolean;
}

/** One row of the statement that finds a page. */
export interface PageKey {
  readonly id: number;
  /** Values of the sort keys but the id, as text. */
  readonly keys: readonly (string | null)[] | null;
  /** What the statement saw, see `SNAPSHOT`; the same in all rows. */
  readonly snapshot: string;
}

/** One row of the statement that finds and reads. */
export interface WholePage {
  readonly body: string;
  /** How many there are, counting one beyond the page. */
  readonly found: number;
  /** Of the last item. */
  readonly id: number | null;
  readonly keys: PageKey['keys'];
  readonly snapshot: string;
}

/** One row of the statement that counts. */
export interface CountRow {
  readonly total: number;
  readonly snapshot: string;
}

/**
 * The statements of one collection. A page is found and read in two steps: what finds it depends on the request and is planned
 * for its values, what reads its rows is always the same and prepared once per connection. See docs/adr/0006.
 */
export interface CollectionStatements {
  /** What to ask before the others: rows of small tables, and those in which a filter finds its text. */
  lookups(request: CollectionRequest): LookupsSql | undefined;
  /** Finds a page and one item more: their keys alone. The limits stand in the text, for PostgreSQL plans by them. @returns many `PageKey`s */
  keys(request: KeysRequest): ReadStatement;
  /** Finds and reads a page of everything at once, for there is no value to plan for. @returns one `WholePage` */
  page(request: KeysRequest): ReadStatement;
  /** The items with these ids, in this order, as the text of a JSON array in `body`. */
  rows(ids: readonly number[]): ReadStatement;
  /** How many items there are. @returns one `CountRow` */
  count(request: CollectionRequest & LookedUp): ReadStatement;
}

/** Compiles what is the same for all requests that read a collection with the same settings. */
export function collectionStatements(source: RowSource, settings: ReadSettings): CollectionStatements {
  const table = tableOf(source.type);
  const options = { model: objectModel, root: source.type.name, alias: 'k', settings: sqlSettings(settings) };
  const readRows = rowsOf(source, settings);
  const rows = prepared(readRows('$1::bigint[]'));

  const where = (
    { query, ownerId, selectionId, lookups }: CollectionRequest & LookedUp,
    parameters: SqlParameters,
  ): string => {
    const owner = source.ownerColumn === undefined ? '' : parameters.add(ownerId);
    const conditions = conditionsOf(source, 'k', owner);
    if (selectionId !== undefined)
      conditions.push(
        `EXISTS (SELECT FROM selection_members m WHERE m.selection_id = ${parameters.add(selectionId)} AND m.member_id = k.id)`,
      );
    return [...conditions, compileConditionSql(query.condition, { ...options, parameters, lookups }).text].join(
      ' AND ',
    );
  };

  /** The rows of a page, as the part of a statement, and what follows from their order. */
  const find = (
    request: KeysRequest,
  ): { readonly keys: string; readonly position: string; readonly parameters: readonly unknown[] } => {
    const parameters = new SqlParameters();
    const sort = compileSortSql(request.query.sort, options);
    const found = { from: `${table} k ${sort.joins}`, where: where(request, parameters) };
    return {
      keys: keysText(request, { sort, found, parameters }),
      position: positionOf(sort),
      parameters: parameters.values,
    };
  };

  return {
    lookups: ({ query }) => compileLookupsSql(query.condition, options),
    keys(request) {
      const { keys, position, parameters } = find(request);
      return {
        text: `SELECT id, ${position} AS keys, (SELECT ${SNAPSHOT}) AS snapshot FROM (${keys}) page`,
        parameters,
      };
    },
    page(request) {
      const { keys, position, parameters } = find(request);
      const last = `FROM page OFFSET ${request.limit - 1} LIMIT 1`;
      const text = `WITH page AS MATERIALIZED (${keys})
        SELECT (${readRows(`ARRAY(SELECT id FROM page LIMIT ${request.limit})`)}) AS body, (SELECT count(*) FROM page) AS found,
          (SELECT id ${last}) AS id, (SELECT ${position} ${last}) AS keys, ${SNAPSHOT} AS snapshot`;
      return { ...prepared(text, `${rows.name} ${keys}`), parameters };
    },
    rows: (ids) => ({ ...rows, parameters: [`{${ids.join(',')}}`] }),
    count(request) {
      const parameters = new SqlParameters();
      return {
        text: `SELECT count(*) AS total, ${SNAPSHOT} AS snapshot FROM ${table} k WHERE ${where(request, parameters)}`,
        parameters: parameters.values,
      };
    },
  };
}

interface KeysParts {
  readonly sort: SortSql;
  readonly found: { readonly from: string; readonly where: string };
  readonly parameters: SqlParameters;
}

/** One item more than asked for tells whether there are more. */
function keysText(request: KeysRequest, parts: KeysParts): string {
  const { limit, offset = 0, matchFirst = false } = request;
  const keys = matchFirst ? matchedKeys(request, parts) : walkedKeys(request, parts);
  return `${keys} LIMIT ${limit + 1} OFFSET ${offset}`;
}

/** The sort keys but the id. */
function positionOf({ columns }: SortSql): string {
  const keys = columns.slice(0, -1).map((_, index) => `s${index}::text`);
  return keys.length === 0 ? 'NULL::text[]' : `ARRAY[${keys.join(', ')}]`;
}

const keyColumns = ({ columns }: SortSql): string => columns.map(({ sql }, index) => `${sql} AS s${index}`).join(', ');

/** In the order asked for, each item being looked at in turn until there are enough: PostgreSQL is free to do otherwise. */
function walkedKeys({ limit, offset = 0, after }: KeysRequest, { sort, found, parameters }: KeysParts): string {
  const [first = '', ...more] = sort
    .parts(after, parameters)
    .map(
      ({ condition, orderBy }) =>
        `SELECT k.id, ${keyColumns(sort)} FROM ${found.from} WHERE ${found.where} AND ${condition} ORDER BY ${orderBy}`,
    );
  if (more.length === 0) return first;
  // Each part is in order by itself; appended, they are read one after the other until there are enough.
  return [first, ...more].map((part) => `(${part} LIMIT ${limit + 1 + offset})`).join(' UNION ALL ');
}

/** All that match, then those that come first: `OFFSET 0` keeps PostgreSQL from thinking of the order before. */
function matchedKeys({ after }: KeysRequest, { sort, found, parameters }: KeysParts): string {
  const order = sort.columns.map(({ direction }, index) => `s${index}${direction}`).join(', ');
  return `SELECT * FROM (SELECT k.id, ${keyColumns(sort)} FROM ${found.from} WHERE ${found.where} AND ${sort.after(after, parameters)} OFFSET 0) m ORDER BY ${order}`;
}

/** Reads rows by an expression for the list of their ids. */
function rowsOf({ type }: RowSource, settings: ReadSettings): (ids: string) => string {
  const { json, joins } = representationJson(type, settings, 'page');
  return (ids) => `SELECT ${listText('r.json', '')} AS body FROM (
    SELECT ${json} AS json FROM unnest(${ids}) WITH ORDINALITY AS p(id, position)
    CROSS JOIN LATERAL (SELECT * FROM ${tableOf(type)} WHERE id = p.id OFFSET 0) t ${joins} ORDER BY p.position) r`;
}
