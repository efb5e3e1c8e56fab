export { checkExpression, type CheckedExpression, type CheckOptions } from './lib/checking/check.js';
export type * as CheckedTree from './lib/checking/nodes.js';
export type {
  ArgumentValue,
  AttributePlace,
  AttributeShape,
  HostFunction,
  ObjectModel,
  ObjectShape,
  RelationShape,
  RepresentedValue,
  ValueType,
} from './lib/checking/model.js';
export {
  type DatapathOf,
  type DatapathValue,
  type DefinedModel,
  defineModel,
  type ObjectOf,
  type TypeDefinition,
  type TypesOf,
} from './lib/checking/define-model.js';
export type * as ModelTypes from './lib/checking/model-types.js';
export { checkModel, ModelError } from './lib/checking/model-error.js';
export { datapathOfRepresented, representedNames } from './lib/checking/represented.js';
export {
  type DatapathEnd,
  resolveDatapath,
  type ResolvedDatapath,
  type ResolvedStep,
  type ResolveOptions,
} from './lib/checking/resolve.js';
export { findSimilar, unlistedValue, type UnlistedValue } from './lib/checking/suggest.js';
export { type IndexResult, TopicIndex } from './lib/index/topic-index.js';
export {
  type DatapathEntry,
  type ListEntries,
  listFromEntries,
  loadCatalogueModel,
} from './lib/language/catalogue-model.js';
export { type Completion, type CompletionKind, type Completions } from './lib/language/completion.js';
export { type Fix, type TextEdit } from './lib/language/diagnostics.js';
export { type ClassifiedToken, type TokenClass } from './lib/language/highlight.js';
export { type Hover } from './lib/language/hover.js';
export { type LanguageModel, type NamedKey, type PropertyText } from './lib/language/language-model.js';
export { createLanguageService, type LanguageService } from './lib/language/language-service.js';
export { ContextError } from './lib/running/check-context.js';
export { compile, type CompiledExpression, compileExpression } from './lib/running/compile.js';
export { type ConstantDate, type DateClock, evaluateDate } from './lib/running/constant-date.js';
export { constantOperandValue, isConstantOperand, startOfDay } from './lib/running/constant-operand.js';
export { DatapathTable } from './lib/running/datapath-table.js';
export { type ExplainedPart, explainExpression, type Explanation } from './lib/running/explain.js';
export type { EvaluationContext, OpenedContext, Truth } from './lib/running/frame.js';
export { type Expression } from './lib/syntax/ast.js';
export type * as SyntaxTree from './lib/syntax/nodes.js';
export { childrenOf, type ExpressionVisitor, visitExpression } from './lib/syntax/visit.js';
export { valuesOf } from './lib/running/values-of.js';
export { parseDay, parseMoment } from './lib/syntax/calendar.js';
export {
  type CollectionKey,
  type CollectionTexts,
  completeKey,
  type FunctionSyntax,
  type IndexedCollection,
  type KeyFault,
  type KeyPart,
  type SyntaxOptions,
} from './lib/syntax/collection.js';
export { type Datapath, parseDatapath } from './lib/syntax/datapath.js';
export { datapathsOf } from './lib/syntax/datapaths-of.js';
export {
  type CheckViolationCode,
  createViolation,
  DatapathCheckError,
  DatapathError,
  DatapathSyntaxError,
  type DatapathViolation,
  type SyntaxViolationCode,
  type ViolationCode,
  type ViolationDetail,
  formatViolation,
  violationFormatter,
  violationMessage,
} from './lib/syntax/errors.js';
export { datapathIn, readPast, type PastCall } from './lib/syntax/past.js';
export { LIMITS as DATAPATH_LIMITS, type SyntaxLimits } from './lib/syntax/limits.js';
export { parseExpression } from './lib/syntax/parser.js';
