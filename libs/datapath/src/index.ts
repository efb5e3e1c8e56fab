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
} from './lib/ast.js';
export { parseDay, parseMoment } from './lib/calendar.js';
export { checkExpression, type CheckedExpression } from './lib/check.js';
export { type CompiledExpression, compileExpression } from './lib/compile.js';
export { datapathsOf } from './lib/datapaths-of.js';
export { type Datapath, type FormDataIndex, parseDatapath } from './lib/datapath.js';
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
} from './lib/errors.js';
export { explainExpression, type ExplainedPart, type Explanation } from './lib/explain.js';
export { DatapathTable } from './lib/datapath-table.js';
export { type EvaluationContext, type Frame } from './lib/frame.js';
export { DURATION_UNITS } from './lib/functions.js';
export { LIMITS } from './lib/limits.js';
export type { AttributeShape, ObjectModel, ObjectShape, RelationShape, ValueType } from './lib/model.js';
export { parseExpression } from './lib/parser.js';
export { printExpression } from './lib/print.js';
export {
  type DatapathEnd,
  resolveDatapath,
  type ResolvedDatapath,
  type ResolvedStep,
  type ResolveOptions,
} from './lib/resolve.js';
export { findSimilar } from './lib/suggest.js';
export { type IndexVerdict, TopicIndex } from './lib/topic-index.js';
export { type Truth } from './lib/truth.js';
