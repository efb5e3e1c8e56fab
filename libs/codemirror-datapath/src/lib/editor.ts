import { autocompletion } from '@codemirror/autocomplete';
import { defaultHighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { linter } from '@codemirror/lint';
import { type Extension } from '@codemirror/state';
import { hoverTooltip, keymap } from '@codemirror/view';
import { completeExpression } from './completion.js';
import { diagnoseExpression } from './diagnostics.js';
import { formatExpression } from './format.js';
import { hoverExpression } from './hover.js';
import { expressionLanguage } from './language.js';
import { type ExpressionService, type WriteText } from './service.js';

/** The settings of an editor of expressions. */
export interface ExpressionEditorOptions {
  /** Writes messages in the language of the reader; English by default. */
  readonly write?: WriteText;
  /** Time in ms without a change after which the text is checked. Defaults to 250. */
  readonly delay?: number;
  /** The key of the format command, in CodeMirror's notation. Defaults to `Shift-Alt-f`. */
  readonly formatKey?: string;
}

/**
 * Makes CodeMirror an editor of expressions: it gets colours, violations with fixes, completions, explanations and a
 * format command. The host adds its own keys, theme and history of changes.
 */
export function expressionEditor(service: ExpressionService, options: ExpressionEditorOptions = {}): Extension {
  const { write = String, delay = 250, formatKey = 'Shift-Alt-f' } = options;
  const language = expressionLanguage(service);
  return [
    language,
    language.data.of({ autocomplete: completeExpression(service) }),
    syntaxHighlighting(defaultHighlightStyle, { fallback: true }),
    linter(diagnoseExpression(service, write), { delay }),
    autocompletion(),
    hoverTooltip(hoverExpression(service, write)),
    keymap.of([{ key: formatKey, run: formatExpression(service) }]),
  ];
}
