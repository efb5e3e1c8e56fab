import { type SortKey } from './condition.js';
import { DatapathColumns } from './datapath-columns.js';
import { ROOT_COLLATION } from './folding.js';
import { getAttribute } from './search-model.js';
import { type SqlObjectModel, type SqlSettings } from './sql-model.js';
import { canonicalText } from './value-sql.js';
import { inParentheses } from './sql-scope.js';

export interface SortSqlOptions {
  readonly model: SqlObjectModel;
  readonly root: string;
  /** Alias of the collection's row in the statement. */
  readonly alias: string;
  readonly settings: SqlSettings;
}

export interface SortSql {
  /** The joins that the keys need, each to one row; empty when all stand in the collection's own. */
  readonly joins: string;
  /** For ORDER BY; never empty, for the id is always the last key. */
  readonly orderBy: string;
}

/**
 * Compiles sort keys. Null stands last in both directions, texts are in the order of the Unicode root collation, and `id`
 * ascending decides between items that are alike in all keys.
 */
export function compileSortSql(keys: readonly SortKey[], { model, root, alias, settings }: SortSqlOptions): SortSql {
  const columns = new DatapathColumns({ model, root, alias, settings });
  const orders = keys.map(({ path, isDescending }) => {
    if (path.many || path.end.kind !== 'attribute') throw new Error(`${path.datapath} has no order`);
    const { type, sqlType } = getAttribute(model, path.end.owner, path.end.name);
    const sql = columns.column(path.datapath);
    const isText = type === 'text' || type === 'rich_text';
    const value = isText ? `${canonicalText({ sql, type, ...(sqlType && { sqlType }) })} COLLATE ${ROOT_COLLATION}` : inParentheses(sql);
    return `${value} ${isDescending ? 'DESC' : 'ASC'} NULLS LAST`;
  });
  return { orderBy: [...orders, columns.column('id')].join(', '), joins: columns.joins };
}
