import { type Fix } from '@ats/datapath';
import { type Action, type Diagnostic } from '@codemirror/lint';
import { type EditorState } from '@codemirror/state';
import { type ExpressionService, serviceOf, type WriteText } from './service.js';

/**
 * Returns the source of a linter. Each violation of the text becomes an error whose `source` is its code. Each fix
 * becomes an action of the error.
 * @param write  writes messages in the language of the reader; English by default
 */
export function diagnoseExpression(
  service: ExpressionService,
  write: WriteText = String,
): (view: { readonly state: EditorState }) => readonly Diagnostic[] {
  return ({ state }) => {
    const [text, language] = [state.doc.toString(), serviceOf(service)];
    return language.diagnose(text).map((violation) => {
      let actions: readonly Action[] | undefined;
      return {
        from: violation.offset,
        to: violation.offset + violation.length,
        severity: 'error',
        source: violation.code,
        message: [violation.message, ...(violation.hint ? [violation.hint] : [])].map(write).join('; '),
        // The getter computes the fixes only when CodeMirror shows the error.
        get actions() {
          actions ??= language.fixes(text, violation).map((fix) => actionOf(fix, text, violation.offset, write));
          return actions;
        },
      };
    });
  };
}

/**
 * Creates the editor action that applies a fix. The violation may have moved since the diagnosis, so the action
 * corrects the position. It does nothing when the text to replace has changed.
 */
function actionOf({ title, edit }: Fix, text: string, diagnosed: number, write: WriteText): Action {
  const replaced = text.slice(edit.offset, edit.offset + edit.length);
  return {
    name: write(title),
    apply(view, moved) {
      const from = edit.offset + moved - diagnosed;
      const to = from + edit.length;
      const { state } = view;
      if (state.readOnly || from < 0 || to > state.doc.length || state.doc.sliceString(from, to) !== replaced) return;
      view.dispatch({ changes: { from, to, insert: edit.text }, userEvent: 'input.fix', scrollIntoView: true });
    },
  };
}
