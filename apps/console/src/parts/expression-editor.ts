import { type DatapathViolation, type Fix, type LanguageService } from '@ats/datapath';
import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { FollowLanguage } from '../app/view.js';
import { type CodeEditor } from './code-editor.js';
import { editorStyles } from './expression-editor-styles.js';
import { t } from './expression-texts.js';

/**
 * An editor for an expression. It marks errors, completes, explains and formats. It dispatches `input` as a text area
 * does. It loads the language service for `root`, the name with which datapaths begin. It has a shadow tree, because
 * the Content-Security-Policy allows the style sheets of CodeMirror only there.
 */
@customElement('ats-expression-editor')
export class ExpressionEditor extends LitElement {
  static override readonly shadowRootOptions: ShadowRootInit = { mode: 'open', delegatesFocus: true };
  static override readonly styles = editorStyles;

  @property() value = '';
  @property() root = '';
  /** The service's error for the expression. */
  @property({ attribute: false }) fault: string | undefined;
  @state() private service: LanguageService | undefined;
  /** True when the editor could not be loaded. A text area then takes its place. */
  @state() private isPlain = false;
  #editor: CodeEditor | undefined;

  constructor() {
    super();
    new FollowLanguage(this);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#loadEditor();
  }

  override disconnectedCallback(): void {
    this.#editor?.destroy();
    this.#editor = undefined;
    super.disconnectedCallback();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('root') && this.root) void this.#loadService(this.root);
  }

  protected override updated(): void {
    this.#editor?.setText(this.value);
    this.#editor?.configure({
      service: this.service,
      attributes: this.#attributes(),
      suggestions: t('suggestions'),
    });
  }

  protected override render(): TemplateResult {
    const attributes = this.#attributes();
    return html`
      <span class="label" id="label" @click=${() => this.#editor?.focus()}>${t('expression')}</span>
      <div class="editor" @input=${this.#stop} @change=${this.#stop}></div>
      ${
        this.isPlain
          ? html`<textarea id="expression" rows="3" spellcheck="false" aria-labelledby="label"
              aria-invalid=${attributes['aria-invalid']} aria-describedby="help error" .value=${this.value}
              @input=${(event: Event) => (this.value = (event.target as HTMLTextAreaElement).value)}></textarea>`
          : nothing
      }
      <small id="help">${t('expressionHelp', { example: `${this.root || 'application'}.id > 1` })}</small>
      <small id="error" class="error" role="alert">${this.#problem() ?? ''}</small>
      ${this.#fixes().map(
        (fix) =>
          html`<button type="button" class="fix" @click=${() => this.#editor?.apply(fix.edit)}>${String(fix.title)}</button>`,
      )}
      <button type="button" ?disabled=${!this.service} @click=${() => this.#editor?.format()}>${t('format')}</button>
    `;
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
    this.requestUpdate();
  }

  async #loadService(root: string): Promise<void> {
    const { languageOf } = await import('./language.js');
    // Without the catalogue, the editor makes no suggestions. Expressions are still checked, because the service checks
    // them again.
    const service = await languageOf(root).catch(() => undefined);
    if (root === this.root) this.service = service && withForms(service);
  }

  /** Returns the error to show: the service's error, else the first violation that the editor found. */
  #problem(): string | undefined {
    if (this.fault !== undefined) return this.fault;
    const violation = this.#violation();
    return violation && [violation.message, violation.hint].filter(Boolean).map(String).join('. ');
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
