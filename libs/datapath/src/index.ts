export type {
  AndNode,
  ComparisonNode,
  ComparisonOperator,
  DateNode,
  DurationNode,
  Expression,
  ExpressionNode,
  ListItem,
  LiteralNode,
  MembershipNode,
  NegativeNode,
  NotNode,
  OrNode,
  PathNode,
  Span,
  SumNode,
  SumTerm,
} from './lib/syntax/ast.js';
export { parseDay, parseMoment } from './lib/syntax/calendar.js';
export { checkExpression, type CheckedExpression } from './lib/checking/check.js';
export { type CompiledExpression, compileExpression } from './lib/running/compile.js';
export { datapathsOf } from './lib/syntax/datapaths-of.js';
export { type Datapath, type FormDataIndex, parseDatapath } from './lib/syntax/datapath.js';
export {
  type CheckFaultCode,
  createFault,
  DatapathCheckError,
  DatapathError,
  DatapathSyntaxError,
  type Fault,
  type FaultCode,
  type FaultDetail,
  formatFault,
  type SyntaxFaultCode,
} from './lib/syntax/errors.js';
export { explainExpression, type ExplainedPart, type Explanation } from './lib/running/explain.js';
export { DatapathTable } from './lib/running/datapath-table.js';
export { type EvaluationContext, type Frame } from './lib/running/frame.js';
export { DURATION_UNITS } from './lib/syntax/functions.js';
export { LIMITS } from './lib/syntax/limits.js';
export type { AttributeShape, ObjectModel, ObjectShape, RelationShape, ValueType } from './lib/checking/model.js';
export { parseExpression } from './lib/syntax/parser.js';
export { printExpression } from './lib/syntax/print.js';
export {
  type DatapathEnd,
  resolveDatapath,
  type ResolvedDatapath,
  type ResolvedStep,
  type ResolveOptions,
} from './lib/checking/resolve.js';
export { findSimilar } from './lib/checking/suggest.js';
export { type IndexVerdict, TopicIndex } from './lib/index/topic-index.js';
export { type Truth } from './lib/running/truth.js';
