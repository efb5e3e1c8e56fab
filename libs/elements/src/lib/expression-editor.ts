import { type WriteText } from '@ats/codemirror-datapath';
import { type DatapathViolation, type Fix, type LanguageService } from '@ats/datapath';
import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { type CodeEditor } from './code-editor.js';
import { CONNECTION, EmbeddedElement } from './embedded-element.js';
import { editorStyles } from './expression-editor-styles.js';
import { expressionText } from './expression-texts.js';
import { directionOf, type Language } from './languages.js';
import { partStyles } from './part-styles.js';

/**
 * An editor of an expression, with errors in place, completion, explanations and formatting. The language service is
 * loaded for `root`, the name with which datapaths begin.
 *
 * Events: `input` and `change` as those of a text area, `problem` with an error.
 */
export class ExpressionEditor extends EmbeddedElement {
  /** Passes the focus of the element on to the editor inside it. */
  static override readonly shadowRootOptions: ShadowRootInit = {
    ...LitElement.shadowRootOptions,
    delegatesFocus: true,
  };
  /** The style sheets of the shadow tree. */
  static override readonly styles = [partStyles, editorStyles];

  /** The text of the expression. */
  @property() value = '';
  /** The name with which datapaths begin, such as `application`. Several names are separated by blanks. */
  @property() root = '';
  /** The label. Without it, the label is “Expression”. */
  @property() label = '';
  /** The text below the editor. Without it, the text explains expressions of topics. */
  @property() help = '';
  /** The error of the service for the expression, which the editor shows. */
  @property({ attribute: false }) fault: string | undefined;
  @state() private service: LanguageService | undefined;
  /** True when the editor could not be loaded. A text area then takes its place. */
  @state() private isPlain = false;
  /** Writes messages of the language service in the language of the element. */
  @state() private write: WriteText = String;
  #writtenLanguage: Language = 'en';
  #editor: CodeEditor | undefined;
  /** The element that had the focus when `focus` was called before the editor was loaded. */
  #focusedBefore: Element | null | undefined;
  /** The text when the last `change` was dispatched, or when the editor got the focus. */
  #committed = '';

  /** Called by the browser. */
  override connectedCallback(): void {
    super.connectedCallback();
    void this.#loadEditor();
  }

  /** Called by the browser. */
  override disconnectedCallback(): void {
    this.#editor?.destroy();
    this.#editor = undefined;
    super.disconnectedCallback();
  }

  /**
   * Moves the focus to the editor. An editor that is still loading gets the focus later, unless the focus moves
   * meanwhile.
   */
  override focus(): void {
    if (this.#editor) this.#editor.focus();
    else this.#focusedBefore = document.activeElement;
  }

  /** Called by Lit. */
  protected override willUpdate(changed: PropertyValues<this>): void {
    if ([...CONNECTION, 'root' as const].some((name) => changed.has(name))) void this.#loadService();
    if (this.language !== this.#writtenLanguage) void this.#loadMessages();
  }

  /** Called by Lit. */
  protected override updated(): void {
    this.#editor?.setText(this.value);
    this.#editor?.configure({
      service: this.service,
      write: this.write,
      attributes: this.#attributes(),
      suggestions: expressionText(this.language, 'suggestions'),
    });
  }

  /** Called by Lit. */
  protected override render(): TemplateResult {
    const { language } = this;
    const attributes = this.#attributes();
    return html`<div lang=${language} dir=${directionOf(language)} @focusin=${this.#begin} @focusout=${this.#commit}>
      <span class="label" id="label" @click=${() => this.#editor?.focus()}>${this.label || expressionText(language, 'expression')}</span>
      <div class="editor" @input=${this.#stop} @change=${this.#stop}></div>
      ${
        this.isPlain
          ? html`<textarea id="expression" rows="3" spellcheck="false" aria-labelledby="label"
              aria-invalid=${attributes['aria-invalid']} aria-describedby="help error" .value=${this.value}
              @change=${this.#stop} @input=${(event: Event) => (this.value = (event.target as HTMLTextAreaElement).value)}></textarea>`
          : nothing
      }
      <small id="help">${this.help || expressionText(language, 'expressionHelp', { example: `${this.root.split(' ')[0] || 'application'}.id > 1` })}</small>
      <small id="error" class="error" role="alert" dir="auto">${this.#problem() ?? ''}</small>
      ${this.#fixes().map(
        (fix) =>
          html`<button type="button" class="fix" @click=${() => this.#editor?.apply(fix.edit)}>${this.write(fix.title)}</button>`,
      )}
      <button type="button" ?disabled=${!this.service} @click=${() => this.#editor?.format()}>${expressionText(language, 'format')}</button>
    </div>`;
  }

  #attributes() {
    return {
      id: 'expression',
      'aria-labelledby': 'label',
      'aria-describedby': 'help error',
      'aria-invalid': String(this.#problem() !== undefined),
    };
  }

  async #loadEditor(): Promise<void> {
    const { CodeEditor } = await import('./code-editor.js').catch(() => ({ CodeEditor: undefined }));
    await this.updateComplete;
    const parent = this.renderRoot.querySelector<HTMLElement>('.editor');
    if (!this.isConnected || this.#editor || !parent) return;
    if (CodeEditor === undefined) {
      this.isPlain = true;
      return;
    }
    const root = this.renderRoot as ShadowRoot;
    this.#editor = new CodeEditor({ parent, root, text: this.value, onChange: this.#change });
    if (this.#focusedBefore === document.activeElement) this.#editor.focus();
    this.#focusedBefore = undefined;
    this.requestUpdate();
  }

  async #loadService(): Promise<void> {
    const { root, connection } = this;
    this.service = undefined;
    if (!root || !connection) return;
    const { languageServiceOf } = await import('./catalogue.js');
    // Without the catalogue, the editor makes no suggestions and finds no violations. The API still checks each
    // expression that it receives.
    const service = await languageServiceOf(connection, root).catch((error: unknown) => {
      this.onError(error);
      return undefined;
    });
    if (root === this.root && connection === this.connection) this.service = service && withForms(service);
  }

  async #loadMessages(): Promise<void> {
    const { language } = this;
    this.#writtenLanguage = language;
    if (language === 'en') {
      this.write = String;
      return;
    }
    // Without the translations, the messages stay English.
    const { messageWriter } = await import('./expression-messages.js').catch(() => ({ messageWriter: undefined }));
    if (messageWriter && language === this.language) this.write = messageWriter(language);
  }

  /** Returns the error to show: the service's error, else the first violation that the editor found. */
  #problem(): string | undefined {
    if (this.fault !== undefined) return this.fault;
    const violation = this.#violation();
    if (violation === undefined) return undefined;
    const { message, hint } = violation;
    return (hint === null ? [message] : [message, hint]).map((one) => this.write(one)).join('; ');
  }

  #violation(): DatapathViolation | undefined {
    return this.value.trim() === '' ? undefined : this.service?.diagnose(this.value)[0];
  }

  #fixes(): readonly Fix[] {
    const violation = this.#violation();
    return (violation && this.service?.fixes(this.value, violation)) ?? [];
  }

  readonly #change = (text: string): void => {
    // A text that the page itself has set does not count as input.
    if (text === this.value) return;
    this.value = text;
    this.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  };

  readonly #begin = ({ relatedTarget }: FocusEvent): void => {
    if (!this.#has(relatedTarget)) this.#committed = this.value;
  };

  readonly #commit = ({ relatedTarget }: FocusEvent): void => {
    if (this.#has(relatedTarget) || this.value === this.#committed) return;
    this.#committed = this.value;
    this.dispatchEvent(new Event('change', { bubbles: true, composed: true }));
  };

  /** True for an element of the editor, such as a button: the focus then has not left the editor. */
  #has(target: EventTarget | null): boolean {
    return target instanceof Node && this.renderRoot.contains(target);
  }

  /**
   * Stops the events of the browser, which come before CodeMirror has the new text. The element dispatches its own
   * event later.
   */
  readonly #stop = (event: Event): void => event.stopPropagation();
}

/** Leaves the check of expressions with form items to the service, because only the service knows the items. */
const withForms = (service: LanguageService): LanguageService => ({
  ...service,
  diagnose: (text) => (text.includes('formdata') ? [] : service.diagnose(text)),
});
