export { completeExpression } from './lib/completion.js';
export { diagnoseExpression } from './lib/diagnostics.js';
export { type ExpressionEditorOptions, expressionEditor } from './lib/editor.js';
export { formatExpression } from './lib/format.js';
export { hoverExpression } from './lib/hover.js';
export { expressionLanguage } from './lib/language.js';
export { type ExpressionService, type WriteText } from './lib/service.js';
