/** Conditions and sort keys over objects in memory: the reference that tests compare the SQL with. */
export {
  type ClosureOptions,
  compileConditionClosure,
  compileSortComparator,
} from './lib/in-memory/compile-closure.js';
