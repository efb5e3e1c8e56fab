/** Conditions and sort keys over objects in memory: the reference that tests compare the SQL with. */
export {
  type ClosureOptions,
  type MemoryObject,
  compileConditionClosure,
  compileSortComparator,
} from './lib/in-memory/compile-closure.js';
export type * from './lib/model/condition.js';
export type { SearchAttribute, SearchField, SearchModel, SearchObject } from './lib/model/search-model.js';
