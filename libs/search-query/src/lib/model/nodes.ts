/** The parts of a condition. The package exports them together, as `ConditionTree`. */
export type {
  Comparison,
  Conjunction,
  ExpressionCondition,
  MomentRange,
  Operand,
  Path,
  PathEnd,
  PathStep,
  PositiveOperator,
  TextFilter,
} from './condition.js';
