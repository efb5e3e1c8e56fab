import { type ValueType } from '@ats/datapath';
import { type Path, type SortKey } from '../model/condition.js';
import { DatapathColumns } from './datapath-columns.js';
import { ROOT_COLLATION } from './folding.js';
import { getAttribute, getRelation } from '../model/search-model.js';
import { type SqlObjectModel, type SqlSettings } from './sql-model.js';
import { inParentheses, type SqlParameters } from './sql-scope.js';
import { canonicalText } from './value-sql.js';

export interface SortSqlOptions {
  readonly model: SqlObjectModel;
  readonly root: string;
  /** Alias of the collection's row in the statement. */
  readonly alias: string;
  readonly settings: SqlSettings;
}

/** A place in an order: the sort keys of an item as text, its id last; null for a missing value. */
export type SortPosition = readonly (string | null)[];

/** A run of items that stand together in the order. */
export interface SortPart {
  /** For WHERE: the items of this part. */
  readonly condition: string;
  /** For ORDER BY; never empty, for the id is always the last key. */
  readonly orderBy: string;
}

/** One key of an order. */
export interface SortColumn {
  readonly sql: string;
  /** What follows it in ORDER BY: its direction, where null stands. */
  readonly direction: string;
}

export interface SortSql {
  /** The joins that the keys need, each to one row; empty when all stand in the collection's own. */
  readonly joins: string;
  /** The order of all items, for ORDER BY. */
  readonly orderBy: string;
  /** The same key by key, the id last. */
  readonly columns: readonly SortColumn[];
  /**
   * The items after a position, or all, part by part: each part is to be read to its end before the next one. Items whose
   * first key is missing are a part of their own, so that one index serves both directions.
   */
  parts(after: SortPosition | undefined, parameters: SqlParameters): readonly SortPart[];
  /** For WHERE: the items after a position, or all. */
  after(position: SortPosition | undefined, parameters: SqlParameters): string;
}

/** One key, the id included. */
interface Column {
  readonly sql: string;
  /** What a value of it is cast to. */
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
 * Compiles sort keys. Null stands last in both directions, texts are in the order of the Unicode root collation, and `id`
 * ascending decides between items that are alike in all keys.
 */
export function compileSortSql(keys: readonly SortKey[], options: SortSqlOptions): SortSql {
  const columns = new DatapathColumns(options);
  const sorted = keys.map((key) => columnOf(key, columns, options));
  const id: Column = { sql: columns.column('id'), type: 'bigint', isDescending: false, canBeNull: false };
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

/** Null stands last by itself in an ascending order; where there is none, an index can be read backwards. */
const directionOf = ({ isDescending, canBeNull }: Column): string =>
  isDescending ? ` DESC${canBeNull ? ' NULLS LAST' : ''}` : '';

const orderOf = (columns: readonly Column[]): string =>
  columns.map((column) => `${column.sql}${directionOf(column)}`).join(', ');

/** Compares rows with a position, key by key: row comparison knows neither directions nor null. */
class Cursor {
  constructor(private readonly parameters: SqlParameters) {}

  /** The items after the position. The bound on the first key alone is what an index can start from. */
  after(columns: readonly Column[], position: SortPosition): string {
    const [column, ...others] = columns;
    const [value, ...rest] = position;
    if (!column || value === undefined) throw new Error('a position has as many values as the order has keys');
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
  if (path.many || path.end.kind !== 'attribute') throw new Error(`${path.datapath} has no order`);
  const { type, sqlType, isRequired } = getAttribute(model, path.end.owner, path.end.name);
  const value = columns.columnOf(path);
  const isText = type === 'text' || type === 'rich_text';
  const sql = isText
    ? `${canonicalText({ sql: value, type, ...(sqlType && { sqlType }) })} COLLATE ${ROOT_COLLATION}`
    : inParentheses(value);
  const canBeNull = isRequired !== true || !isAlwaysThere(path, model);
  return { sql, type: PARAMETER_TYPES[type], isDescending, canBeNull };
}

const isAlwaysThere = ({ steps }: Path, model: SqlObjectModel): boolean =>
  steps.every(({ owner, relation }) => {
    const { join, isRequired } = getRelation(model, owner, relation);
    return !join || isRequired === true;
  });
