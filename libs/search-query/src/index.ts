export {
  type CollectionParameters,
  type CollectionQuery,
  combineQueries,
  datapathsOf,
  EVERYTHING,
  readCollectionQuery,
} from './lib/collection-query.js';
export {
  type ClosureOptions,
  compileConditionClosure,
  compileSortComparator,
  type MemoryObject,
} from './lib/compile-closure.js';
export { compileConditionSql, type ConditionSqlOptions, type SqlText } from './lib/compile-sql.js';
export {
  type Comparison,
  type Condition,
  type Conjunction,
  type Operand,
  type Path,
  type PathEnd,
  type PathStep,
  type PositiveOperator,
  type SortKey,
  type Span,
  type TextFilter,
} from './lib/condition.js';
export { DatapathColumns, type DatapathColumnsOptions } from './lib/datapath-columns.js';
export {
  type Faulty,
  formatSearchFault,
  type SearchFault,
  type SearchFaultCode,
  type SearchParameter,
} from './lib/fault.js';
export { compareTexts, fold, foldSql, ROOT_COLLATION } from './lib/folding.js';
export { SEARCH_LIMITS } from './lib/limits.js';
export {
  compileLookupsSql,
  type LookupKey,
  type Lookups,
  type LookupsSql,
  type LookupsSqlOptions,
} from './lib/lookups.js';
export { type Placed, parseSearch, type SearchOperator, type SearchText } from './lib/search-param.js';
export { readSearchCondition } from './lib/search-condition.js';
export {
  type SearchAttribute,
  type SearchField,
  type SearchModel,
  type SearchObject,
  type SearchSubject,
} from './lib/search-model.js';
export { parseSort, type SortText } from './lib/sort-param.js';
export {
  compileSortSql,
  type SortColumn,
  type SortPart,
  type SortPosition,
  type SortSql,
  type SortSqlOptions,
} from './lib/sort-sql.js';
export {
  quoteLiteral,
  SEARCH_TEXT_SEPARATOR,
  type SearchTextColumn,
  type SqlAttribute,
  type SqlObject,
  type SqlObjectModel,
  type SqlRelation,
  type SqlSettings,
} from './lib/sql-model.js';
export { SqlParameters } from './lib/sql-scope.js';
export { canonicalText } from './lib/value-sql.js';
