export { type Condition, type SortKey } from './lib/model/condition.js';
export type * as ConditionTree from './lib/model/nodes.js';
export { type RequestLimits, SEARCH_LIMITS } from './lib/model/limits.js';
export type {
  SearchAttribute,
  SearchField,
  SearchModel,
  SearchObject,
  SearchSubject,
} from './lib/model/search-model.js';
export {
  type CollectionParameters,
  type CollectionQuery,
  combineQueries,
  exceededLimit,
  readCollectionQuery,
} from './lib/reading/collection-query.js';
export {
  formatSearchViolation,
  searchViolationFormatter,
  searchViolationMessage,
  type Invalid,
  type SearchParameter,
  type SearchViolation,
  type SearchViolationCode,
  type TextSlice,
} from './lib/reading/violation.js';
export { readSearchCondition } from './lib/reading/search-condition.js';
export { expressionTexts, whereNeedsClock } from './lib/reading/where-param.js';
export { parseSearch, type SearchOperator, type SearchText } from './lib/reading/search-param.js';
export { compileConditionSql, type ConditionSqlOptions, type SqlText } from './lib/sql/compile-sql.js';
export { DatapathColumns, type DatapathColumnsOptions } from './lib/sql/datapath-columns.js';
export { foldSql } from './lib/sql/folding.js';
export { compileLookupsSql, type LookupsSql, type LookupsSqlOptions } from './lib/sql/lookups.js';
export {
  compileSortSql,
  type SortColumn,
  type SortPart,
  type SortPosition,
  type SortSql,
  type SortSqlOptions,
} from './lib/sql/sort-sql.js';
export {
  quoteLiteral,
  SEARCH_TEXT_SEPARATOR,
  type SearchTextColumn,
  sqlColumn,
  defineSqlModel,
  type SqlAttribute,
  type SqlFunction,
  type SqlObject,
  type SqlObjectModel,
  type SqlRelation,
  type SqlSettings,
  type SqlTypeDefinition,
} from './lib/sql/sql-model.js';
export { type LookupKey, type Lookups, type SqlOptions, SqlParameters } from './lib/sql/sql-scope.js';
export { canonicalText, type SqlValue } from './lib/sql/value-sql.js';
