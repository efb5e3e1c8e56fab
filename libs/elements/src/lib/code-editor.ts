import { expressionEditor, formatExpression, type WriteText } from '@ats/codemirror-datapath';
import { type Fix, type LanguageService } from '@ats/datapath';
import { closeBrackets, closeBracketsKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { syntaxHighlighting } from '@codemirror/language';
import { nextDiagnostic } from '@codemirror/lint';
import { Compartment, EditorState, type Extension } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { classHighlighter } from '@lezer/highlight';
import { codeTheme } from './code-theme.js';

/** Options that the element around the editor sets once. */
interface EditorOptions {
  readonly parent: HTMLElement;
  /**
   * The shadow tree of the parent. CodeMirror adds its style sheet to this tree, because the Content-Security-Policy
   * forbids it elsewhere.
   */
  readonly root: ShadowRoot;
  readonly text: string;
  readonly onChange: (text: string) => void;
}

/** Settings that can change while an editor is open. */
export interface EditorSettings {
  readonly service: LanguageService | undefined;
  /** Writes the messages of the service in the language of the reader. */
  readonly write: WriteText;
  /** Attributes of the editable element, such as its accessible name. */
  readonly attributes: Readonly<Record<string, string>>;
  /** The accessible name of the list of suggestions. */
  readonly suggestions: string;
}

/** The CodeMirror editor of one expression. The Tab key moves to the next field, as in every field. */
export class CodeEditor {
  readonly #view: EditorView;
  readonly #attributes = new Compartment();
  readonly #language = new Compartment();
  #known = '';
  #service: LanguageService | undefined;
  #write: WriteText | undefined;

  constructor({ parent, root, text, onChange }: EditorOptions) {
    const extensions: Extension = [
      keymap.of([...closeBracketsKeymap, { key: 'F8', run: nextDiagnostic }, ...defaultKeymap, ...historyKeymap]),
      history(),
      closeBrackets(),
      EditorView.lineWrapping,
      syntaxHighlighting(classHighlighter),
      codeTheme,
      this.#attributes.of([]),
      this.#language.of([]),
      EditorView.updateListener.of(({ docChanged, state }) => {
        if (docChanged) onChange(state.doc.toString());
      }),
    ];
    this.#view = new EditorView({ parent, root, state: EditorState.create({ doc: text, extensions }) });
  }

  /** Applies the settings that have changed. */
  configure({ service, write, attributes, suggestions }: EditorSettings): void {
    const known = JSON.stringify([attributes, suggestions]);
    if (known !== this.#known) {
      this.#known = known;
      const shown = EditorView.contentAttributes.of({ ...attributes, spellcheck: 'false' });
      const phrases = EditorState.phrases.of({ Completions: suggestions });
      this.#view.dispatch({ effects: this.#attributes.reconfigure([shown, phrases]) });
    }
    if (service !== this.#service || write !== this.#write) {
      this.#service = service;
      this.#write = write;
      this.#view.dispatch({ effects: this.#language.reconfigure(service ? expressionEditor(service, { write }) : []) });
    }
  }

  /** Replaces the text, unless the editor has this text already. */
  setText(text: string): void {
    const { doc } = this.#view.state;
    if (doc.toString() !== text) this.#view.dispatch({ changes: { from: 0, to: doc.length, insert: text } });
  }

  /** Formats the text. Does not change a text that is no expression. */
  format(): void {
    if (this.#service) formatExpression(this.#service)(this.#view);
    this.#view.focus();
  }

  /** Applies the change that fixes a violation. */
  apply({ offset, length, text }: Fix['edit']): void {
    this.#view.dispatch({ changes: { from: offset, to: offset + length, insert: text }, userEvent: 'input.fix' });
    this.#view.focus();
  }

  focus(): void {
    this.#view.focus();
  }

  destroy(): void {
    this.#view.destroy();
  }
}
