import {
  DatapathColumns,
  compileConditionSql,
  compileLookupsSql,
  compileSortSql,
  type CollectionQuery,
  type Lookups,
  type LookupsSql,
  type SortPosition,
  type SortSql,
  type SortKey,
  SqlParameters,
} from '@ats/search-query';
import { type BodyPiece, inPieces, prepared, type ReadStatement, SNAPSHOT } from '@ats/postgres';
import { boundedRows, listText } from './json-text.js';
import { objectModel } from '../objects/object-model.js';
import { type RowSource } from '../vocabulary/resource.js';
import {
  conditionsOf,
  formatValue,
  representationJson,
  sqlSettings,
  tableOf,
  type ReadSettings,
} from './representation-sql.js';

/** Runs statements on a pool of connections or on one connection. */
export interface Reads {
  query<Row extends object>(statement: ReadStatement): Promise<Row[]>;
}

/** The conditions that select items of a collection. */
export interface CollectionRequest {
  readonly query: CollectionQuery;
  /** Id of the owner, for a resource with an `ownerColumn`. */
  readonly ownerId?: number;
  /** Limits the items to members of this selection. */
  readonly selectionId?: number;
}

/** The ids that the statement of `lookups` has found. They replace conditions on small tables and on a filter text. */
interface LookedUp {
  readonly lookups?: Lookups | undefined;
}

export interface KeysRequest extends CollectionRequest, LookedUp {
  readonly limit: number;
  /** Number of items to skip. The database must read each skipped item. */
  readonly offset?: number;
  /** Position of the last item of the page before. The database does not read the items before this position. */
  readonly after?: SortPosition | undefined;
  /** True when the statement must find all matches first and then sort them, see `PlanChoice`. */
  readonly matchFirst?: boolean;
}

export interface GroupsRequest extends CollectionRequest {
  /** The datapaths to group by: items with the same values form a group. */
  readonly by: readonly SortKey[];
  /** Maximum number of groups. */
  readonly most: number;
}

/** One group: the items that have the same values. */
export interface Group {
  /** The values of the group, in the order of `by`. Null stands for a missing value. */
  readonly values: readonly unknown[];
  readonly count: number;
}

/** One row of the statement that finds a page. */
export interface PageKey {
  readonly id: number;
  /** Values of the sort keys except the id, as text. */
  readonly keys: readonly (string | null)[] | null;
  /** The database snapshot of the statement, see `SNAPSHOT`. It is the same in all rows. */
  readonly snapshot: string;
}

/**
 * The first row of the statement that finds and reads a page. The further rows have only further pieces of the body.
 */
export interface WholePage extends BodyPiece {
  /** Number of found items: at most one more than the page can have. */
  readonly found: number;
  /** Id of the last item of the page. Null when the page is not full. */
  readonly id: number | null;
  readonly keys: PageKey['keys'];
  /** The ids of all items of the page, in the same form as in `Page`. */
  readonly ids: Buffer;
  readonly snapshot: Buffer;
}

/** One item of an export, as JSON text. */
export interface ExportedItem {
  readonly text: string;
}

/** The result row of a count. */
export interface CountRow {
  readonly total: number;
  readonly snapshot: string;
}

/**
 * The SQL statements of one collection. Most pages take two statements. The first one finds the keys of the items;
 * PostgreSQL plans it anew for the values of each request. The second one reads the rows; its text never changes, so
 * each connection prepares it once. Source: docs/adr/0006-find-a-page-then-read-it.md
 */
export interface CollectionStatements {
  /** Runs before the other statements. Looks up rows of small tables, and rows that contain the filter text. */
  lookups(request: CollectionRequest): LookupsSql | undefined;
  /**
   * Finds the ids and the values of the sort keys, for the items of a page and one more. Limits are part of the SQL
   * text, because PostgreSQL plans a page better when it knows its size.
   * @returns a statement with `PageKey` rows
   */
  keys(request: KeysRequest): ReadStatement;
  /**
   * Finds and reads a page in one statement. It serves requests without conditions: their plan depends on no values.
   * @returns a statement whose first row is a `WholePage` and whose rows are a `BodyPiece` each
   */
  page(request: KeysRequest): ReadStatement;
  /**
   * Reads the items with these ids, in this order, as the text of a JSON array in rows of `BodyPiece`.
   * @param ids  text of an array, such as `{4,7}`
   */
  rows(ids: string): ReadStatement;
  /** Opens the SQL cursor `export_ids`, which returns the ids of all items in the order of the sort keys. */
  exportIds(request: CollectionRequest & LookedUp): ReadStatement;
  /** Reads the items with these ids, in this order, as rows of `ExportedItem`. `ids` has the same form as in `rows`. */
  exportItems(ids: string): ReadStatement;
  /** Counts the items. @returns a statement with one `CountRow` */
  count(request: CollectionRequest & LookedUp): ReadStatement;
  /** Counts the items of each group, the largest group first. @returns a statement with `Group` rows */
  groups(request: GroupsRequest & LookedUp): ReadStatement;
}

/** Compiles the statements of a collection. They serve all requests with the same settings. */
export function collectionStatements(source: RowSource, settings: ReadSettings): CollectionStatements {
  const table = tableOf(source.type);
  const options = { model: objectModel, root: source.type.name, alias: 'k', settings: sqlSettings(settings) };
  const readRows = rowsOf(source, settings);
  const rows = { ...prepared(inPieces(readRows('$1::bigint[]'), [])), textsAsBytes: true };
  const items = prepared(`SELECT text FROM (${itemsOf(source, settings)('$1::bigint[]')}) b ORDER BY b.position`);

  const where = (
    { query, ownerId, selectionId, lookups }: CollectionRequest & LookedUp,
    parameters: SqlParameters,
  ): string => {
    const owner = source.ownerColumn === undefined ? '' : parameters.add(ownerId);
    const conditions = conditionsOf(source, 'k', owner);
    if (selectionId !== undefined) {
      const isMember = `m.selection_id = ${parameters.add(selectionId)} AND m.member_id = k.id`;
      conditions.push(`EXISTS (SELECT FROM selection_members m WHERE ${isMember})`);
    }
    return [...conditions, compileConditionSql(query.condition, { ...options, parameters, lookups }).text].join(
      ' AND ',
    );
  };

  /** Returns SQL that selects the keys of a page, and SQL for the position of a row. */
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
      const ids = `ARRAY(SELECT id FROM page LIMIT ${request.limit})`;
      const text = `WITH page AS MATERIALIZED (${keys})
        SELECT (${readRows(ids)}) AS body, ${ids}::text AS ids,
          (SELECT count(*) FROM page) AS found, (SELECT id ${last}) AS id, (SELECT ${position} ${last}) AS keys,
          ${SNAPSHOT} AS snapshot`;
      return {
        ...prepared(inPieces(text, ['ids', 'found', 'id', 'keys', 'snapshot']), `${rows.name} ${keys}`),
        parameters,
        textsAsBytes: true,
      };
    },
    rows: (ids) => ({ ...rows, parameters: [ids] }),
    exportIds(request) {
      const parameters = new SqlParameters();
      const sort = compileSortSql(request.query.sort, options);
      const condition = where(request, parameters);
      return {
        text: `DECLARE export_ids NO SCROLL CURSOR FOR SELECT k.id FROM ${table} k ${sort.joins} WHERE ${condition}
          ORDER BY ${sort.orderBy}`,
        parameters: parameters.values,
      };
    },
    exportItems: (ids) => ({ ...items, parameters: [ids] }),
    count(request) {
      const parameters = new SqlParameters();
      return {
        text: `SELECT count(*) AS total, ${SNAPSHOT} AS snapshot FROM ${table} k WHERE ${where(request, parameters)}`,
        parameters: parameters.values,
      };
    },
    groups(request) {
      const parameters = new SqlParameters();
      const columns = new DatapathColumns({ ...options, format: formatValue });
      const values = request.by.map(({ path }, index) => `${columns.columnOf(path)} AS v${index}`);
      const names = values.map((_, index) => `v${index}`).join(', ');
      const counted = `SELECT ${values.join(', ')} FROM ${table} k ${columns.joins} WHERE ${where(request, parameters)}`;
      return {
        text: `SELECT json_build_array(${names}) AS values, count(*)::integer AS count FROM (${counted}) counted
          GROUP BY ${names} ORDER BY count(*) DESC, ${names} LIMIT ${request.most}`,
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

/** SQL for the keys of a page and of one more item. The additional item shows that there is a next page. */
function keysText(request: KeysRequest, parts: KeysParts): string {
  const { limit, offset = 0, matchFirst = false } = request;
  const keys = matchFirst ? matchedKeys(request, parts) : walkedKeys(request, parts);
  return `${keys} LIMIT ${limit + 1} OFFSET ${offset}`;
}

/** SQL for the values of the sort keys except the id. */
function positionOf({ columns }: SortSql): string {
  const keys = columns.slice(0, -1).map((_, index) => `s${index}::text`);
  return keys.length === 0 ? 'NULL::text[]' : `ARRAY[${keys.join(', ')}]`;
}

const keyColumns = ({ columns }: SortSql): string => columns.map(({ sql }, index) => `${sql} AS s${index}`).join(', ');

/**
 * SQL that selects matches in the requested order. PostgreSQL may read an index in this order and stop after enough
 * matches.
 */
function walkedKeys({ limit, offset = 0, after }: KeysRequest, { sort, found, parameters }: KeysParts): string {
  const [first = '', ...more] = sort
    .parts(after, parameters)
    .map(
      ({ condition, orderBy }) =>
        `SELECT k.id, ${keyColumns(sort)} FROM ${found.from} WHERE ${found.where} AND ${condition} ORDER BY ${orderBy}`,
    );
  if (more.length === 0) return first;
  // PostgreSQL reads the sorted parts of a UNION ALL one after the other, which keeps the order. It stops after enough
  // rows.
  return [first, ...more].map((part) => `(${part} LIMIT ${limit + 1 + offset})`).join(' UNION ALL ');
}

/**
 * SQL that selects all matches and then sorts them. `OFFSET 0` prevents PostgreSQL from reading an index in the
 * requested order instead.
 */
function matchedKeys({ after }: KeysRequest, { sort, found, parameters }: KeysParts): string {
  const order = sort.columns.map(({ direction }, index) => `s${index}${direction}`).join(', ');
  const where = `${found.where} AND ${sort.after(after, parameters)}`;
  const matches = `SELECT k.id, ${keyColumns(sort)} FROM ${found.from} WHERE ${where} OFFSET 0`;
  return `SELECT * FROM (${matches}) m ORDER BY ${order}`;
}

/** Returns a function that makes SQL for reading rows as one JSON list. Its argument is SQL for an array of row ids. */
function rowsOf(source: RowSource, settings: ReadSettings): (ids: string) => string {
  const items = itemsOf(source, settings);
  return (ids) =>
    `SELECT ${listText('r.text', '')} AS body FROM (SELECT * FROM (${items(ids)}) b ORDER BY b.position) r`;
}

/**
 * Returns a function that makes SQL for the `text` and `position` of each item. The statement fails when all texts
 * together exceed the maximum size of an answer.
 */
function itemsOf({ type }: RowSource, settings: ReadSettings): (ids: string) => string {
  const { json, joins } = representationJson(type, settings, 'page');
  return (ids) =>
    boundedRows(
      `SELECT ${json} AS text, p.position FROM unnest(${ids}) WITH ORDINALITY AS p(id, position)
      CROSS JOIN LATERAL (SELECT * FROM ${tableOf(type)} WHERE id = p.id OFFSET 0) t ${joins}`,
      ['position'],
    );
}
