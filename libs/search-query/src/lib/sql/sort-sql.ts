import { type ValueType } from '@ats/datapath';
import { type Path, type SortKey } from '../model/condition.js';
import { DatapathColumns } from './datapath-columns.js';
import { ROOT_COLLATION } from './folding.js';
import { getAttribute, getRelation, idNameOf } from '../model/search-model.js';
import { type SqlObjectModel, type SqlSettings } from './sql-model.js';
import { inParentheses, type SqlParameters } from './sql-scope.js';
import { canonicalText } from './value-sql.js';

/** Options of `compileSortSql`. */
export interface SortSqlOptions {
  /** The tables and columns of the object types. */
  readonly model: SqlObjectModel;
  /** The object type of the items of the collection. */
  readonly root: string;
  /** The alias of the row of an item in the statement. */
  readonly alias: string;
  /** SQL texts that the expressions of attributes use. Defaults to none. */
  readonly settings?: SqlSettings;
}

/** The position of an item in an order: its sort keys as texts, with the id last. A missing value is null. */
export type SortPosition = readonly (string | null)[];

/** A contiguous part of the ordered items. */
export interface SortPart {
  /** A condition for WHERE that selects the items of this part. */
  readonly condition: string;
  /** The text of ORDER BY. It ends with the id and is never empty. */
  readonly orderBy: string;
}

/** A column of ORDER BY: the SQL of one sort key, or of the id. */
export interface SortColumn {
  /** The SQL of the value that is sorted. */
  readonly sql: string;
  /** The text after the column in ORDER BY: the direction, and the position of nulls. */
  readonly direction: string;
}

/** The order of a collection in SQL. */
export interface SortSql {
  /** The to-one joins that the keys need. Empty when all keys are in the row of the collection. */
  readonly joins: string;
  /** The text of ORDER BY over all items. */
  readonly orderBy: string;
  /** The columns of `orderBy`, with the id last. */
  readonly columns: readonly SortColumn[];
  /**
   * Returns the items after a position, or all items, as parts. Read each part to its end before the next one. Items
   * whose first key is null are a separate part, so that one index serves both directions.
   */
  parts(after: SortPosition | undefined, parameters: SqlParameters): readonly SortPart[];
  /** Returns a condition for WHERE that selects the items after a position, or all items. */
  after(position: SortPosition | undefined, parameters: SqlParameters): string;
}

/** One sort key of a query, or the id. */
interface Column {
  readonly sql: string;
  /** The SQL type of the values of the sort key. */
  readonly type: string;
  readonly isDescending: boolean;
  readonly canBeNull: boolean;
}

const PARAMETER_TYPES: Readonly<Record<ValueType, string>> = {
  text: 'text',
  rich_text: 'text',
  integer: 'bigint',
  decimal: 'numeric',
  boolean: 'boolean',
  date: 'date',
  datetime: 'timestamptz',
};

/**
 * Compiles sort keys. Null comes last in both directions. Texts are in the order of the Unicode root collation. The
 * last key is the id, ascending.
 * @throws {Error} when items cannot be sorted by a path; `after` and `parts` throw it when a position lacks the value
 *   of a key
 * @throws {DatapathSyntaxError} when a sort key that the program made is no datapath
 * Source: docs/reference/search.md, "Sort".
 */
export function compileSortSql(keys: readonly SortKey[], options: SortSqlOptions): SortSql {
  const columns = new DatapathColumns(options);
  const sorted = keys.map((key) => columnOf(key, columns, options));
  const id = { ...columnOf({ path: idPath(options), isDescending: false }, columns, options), canBeNull: false };
  const all = [...sorted, id];
  const [first, ...rest] = all;
  return {
    joins: columns.joins,
    orderBy: orderOf(all),
    columns: all.map((column) => ({ sql: column.sql, direction: directionOf(column) })),
    after: (position, parameters) => (position ? new Cursor(parameters).after(all, position) : 'true'),
    parts(after, parameters) {
      const cursor = new Cursor(parameters);
      if (!first?.canBeNull) return [{ condition: after ? cursor.after(all, after) : 'true', orderBy: orderOf(all) }];
      const [value, ...others] = after ?? [];
      const missing = `${first.sql} IS NULL`;
      if (value === null)
        return [{ condition: `${missing} AND ${cursor.after(rest, others)}`, orderBy: orderOf(rest) }];
      const present = { ...first, canBeNull: false };
      const condition = after ? cursor.after([present, ...rest], after) : `${first.sql} IS NOT NULL`;
      return [
        { condition, orderBy: orderOf([present, ...rest]) },
        { condition: missing, orderBy: orderOf(rest) },
      ];
    },
  };
}

function idPath({ model, root }: SortSqlOptions): Path {
  const name = idNameOf(model);
  const { type } = getAttribute(model, root, name);
  return {
    datapath: name,
    root,
    steps: [],
    end: { kind: 'attribute', owner: root, name, type, many: false },
    many: false,
  };
}

/**
 * Returns the direction in ORDER BY. PostgreSQL puts nulls last in ascending order. When there are no nulls, a plain
 * DESC lets it read an index backwards.
 */
const directionOf = ({ isDescending, canBeNull }: Column): string =>
  isDescending ? ` DESC${canBeNull ? ' NULLS LAST' : ''}` : '';

const orderOf = (columns: readonly Column[]): string =>
  columns.map((column) => `${column.sql}${directionOf(column)}`).join(', ');

/** Compares rows with a position, key by key. The row comparison of SQL supports neither directions nor nulls. */
class Cursor {
  constructor(private readonly parameters: SqlParameters) {}

  /**
   * Makes the condition for the items after the position. The separate bound on the first key lets PostgreSQL find the
   * first item in an index.
   */
  after(columns: readonly Column[], position: SortPosition): string {
    const [column, ...others] = columns;
    const [value, ...rest] = position;
    if (!column || value === undefined) throw new Error('expected a sort position with one value for each sort key');
    if (value === null) return `${column.sql} IS NULL AND ${this.#rest(others, rest)}`;
    const parameter = `${this.parameters.add(value)}::${column.type}`;
    const beyond = `${column.sql} ${column.isDescending ? '<' : '>'} ${parameter}`;
    if (others.length === 0) return beyond;
    const decided = `(${beyond} OR (${column.sql} = ${parameter} AND ${this.#rest(others, rest)}))`;
    if (column.canBeNull) return `(${column.sql} IS NULL OR ${decided})`;
    return `${column.sql} ${column.isDescending ? '<=' : '>='} ${parameter} AND ${decided}`;
  }

  #rest(columns: readonly Column[], position: SortPosition): string {
    return `(${this.after(columns, position)})`;
  }
}

function columnOf({ path, isDescending }: SortKey, columns: DatapathColumns, { model }: SortSqlOptions): Column {
  if (path.many || path.end.kind !== 'attribute')
    throw new Error(`expected a sortable datapath, found ${path.datapath}`);
  const { type, sqlType, isRequired } = getAttribute(model, path.end.owner, path.end.name);
  const value = columns.columnOf(path);
  const isText = type === 'text' || type === 'rich_text';
  const sql = isText
    ? `${canonicalText({ sql: value, type, ...(sqlType && { sqlType }) })} COLLATE ${ROOT_COLLATION}`
    : inParentheses(value);
  const canBeNull = isRequired !== true || !isAlwaysPresent(path, model);
  return { sql, type: PARAMETER_TYPES[type], isDescending, canBeNull };
}

const isAlwaysPresent = ({ steps }: Path, model: SqlObjectModel): boolean =>
  steps.every(({ owner, relation }) => {
    const { join, isRequired } = getRelation(model, owner, relation);
    return !join || isRequired === true;
  });
