import { DatapathError } from '@ats/datapath';
import { type StateCommand } from '@codemirror/state';
import { type ExpressionService, serviceOf } from './service.js';

/**
 * Returns the command that formats the text. It returns false for a text that is not an expression or cannot be
 * changed. Another command for the same key can then run.
 */
export function formatExpression(service: ExpressionService): StateCommand {
  return ({ state, dispatch }) => {
    const text = state.doc.toString();
    const formatted = state.readOnly ? undefined : formatOf(service, text);
    if (formatted === undefined) return false;
    if (formatted !== text)
      dispatch(
        state.update({
          changes: { from: 0, to: text.length, insert: formatted },
          selection: { anchor: placeAfter(text, state.selection.main.head, formatted) },
          userEvent: 'format',
        }),
      );
    return true;
  };
}

function formatOf(service: ExpressionService, text: string): string | undefined {
  try {
    return serviceOf(service).format(text);
  } catch (error) {
    if (error instanceof DatapathError) return undefined;
    throw error;
  }
}

/**
 * Returns the new position of the cursor: after as many visible characters as before, because formatting mostly changes
 * blanks.
 */
function placeAfter(text: string, cursor: number, formatted: string): number {
  let visible = text.slice(0, cursor).replace(/\s/g, '').length;
  let at = 0;
  while (visible > 0 && at < formatted.length) {
    if (!/\s/.test(formatted.charAt(at))) visible -= 1;
    at += 1;
  }
  return at;
}
