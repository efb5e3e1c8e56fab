export type { Comparison, Condition, ExpressionCondition, Path, PathEnd, SortKey } from './lib/model/condition.js';
export { SEARCH_LIMITS } from './lib/model/limits.js';
export type { SearchSubject } from './lib/model/search-model.js';
export {
  type CollectionParameters,
  type CollectionQuery,
  combineQueries,
  exceededLimit,
  readCollectionQuery,
} from './lib/reading/collection-query.js';
export { formatSearchViolation } from './lib/reading/violation.js';
export { readSearchCondition } from './lib/reading/search-condition.js';
export { expressionTexts } from './lib/reading/where-param.js';
export { parseSearch } from './lib/reading/search-param.js';
export { compileConditionSql } from './lib/sql/compile-sql.js';
export { DatapathColumns, type DatapathColumnsOptions } from './lib/sql/datapath-columns.js';
export { foldSql } from './lib/sql/folding.js';
export { compileLookupsSql, type LookupsSql } from './lib/sql/lookups.js';
export { compileSortSql, type SortPosition, type SortSql } from './lib/sql/sort-sql.js';
export {
  quoteLiteral,
  SEARCH_TEXT_SEPARATOR,
  type SearchTextColumn,
  type SqlAttribute,
  type SqlObject,
  type SqlObjectModel,
  type SqlRelation,
  type SqlSettings,
} from './lib/sql/sql-model.js';
export { type Lookups, SqlParameters } from './lib/sql/sql-scope.js';
export { canonicalText } from './lib/sql/value-sql.js';
