/** Evaluates conditions and sort keys on objects in memory. Tests compare the results with those of the SQL. */
export {
  type ClosureOptions,
  type MemoryObject,
  compileConditionClosure,
  compileSortComparator,
} from './lib/in-memory/compile-closure.js';
export type * from './lib/model/condition.js';
export type { SearchAttribute, SearchField, SearchModel, SearchObject } from './lib/model/search-model.js';
