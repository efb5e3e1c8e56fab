/** The parts of a condition. The package exports them together under the name `ConditionTree`. */
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
