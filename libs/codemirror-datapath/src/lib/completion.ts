import { type Completion as Suggestion, type CompletionKind } from '@ats/datapath';
import { type Completion, type CompletionSource } from '@codemirror/autocomplete';
import { type ExpressionService, serviceOf } from './service.js';

/** Maps each kind of completion to the name of an icon of CodeMirror. */
const ICONS: Readonly<Record<CompletionKind, string>> = {
  attribute: 'property',
  relation: 'class',
  key: 'variable',
  value: 'constant',
  function: 'function',
  operator: 'keyword',
  keyword: 'keyword',
};

/**
 * Matches the text before the cursor when suggestions must appear although no name has begun: after a point, a quote or
 * an opening bracket.
 */
const OPENING = /[.("'{]$/;

/**
 * Returns a source of completions. They are in the order of the language service. They appear when the user asks for
 * them, inside a word, and after a point, a quote or an opening bracket.
 */
export function completeExpression(service: ExpressionService): CompletionSource {
  return ({ state, pos, explicit }) => {
    const text = state.doc.toString();
    const { from, to, items } = serviceOf(service).complete(text, pos);
    if (items.length === 0 || (!explicit && from === pos && !OPENING.test(text.slice(0, pos)))) return null;
    return { from, to, options: items.map(optionOf), filter: false };
  };
}

const optionOf = ({ kind, text, detail, label, description }: Suggestion): Completion => {
  const info = [label, description].filter((one) => one !== undefined).join('\n');
  return { label: text, type: ICONS[kind], ...(detail !== undefined && { detail }), ...(info !== '' && { info }) };
};
