import { type LanguageService } from '@ats/datapath';
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { ConsoleElement } from '../app/view.js';
import { t } from './expression-texts.js';

type Completions = ReturnType<LanguageService['complete']>;
const MAX_SUGGESTIONS = 8;

/**
 * A text area for an expression, with errors in place, completion and formatting. It dispatches `input` as a text area
 * does. The language service is loaded for `root`, the name with which datapaths begin.
 */
@customElement('ats-expression-editor')
export class ExpressionEditor extends ConsoleElement {
  @property() value = '';
  @property() root = '';
  /** The error that the service has for the expression. */
  @property({ attribute: false }) fault: string | undefined;
  @state() private service: LanguageService | undefined;
  @state() private completions: Completions | undefined;
  @state() private chosen = 0;

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('root') && this.root) void this.#loadService(this.root);
  }

  protected override render(): TemplateResult {
    const problem = this.fault ?? this.#problem();
    const items = this.completions?.items.slice(0, MAX_SUGGESTIONS) ?? [];
    return html`
      <div class="field" data-path="/expression">
        <label for="expression">${t('expression')}</label>
        <textarea id="expression" name="expression" rows="3" spellcheck="false" aria-autocomplete="list"
          aria-controls="suggestions" aria-invalid=${problem !== undefined}
          aria-activedescendant=${items.length > 0 ? `suggestion-${this.chosen}` : nothing}
          aria-describedby="expression-help expression-error" .value=${this.value}
          @input=${this.#input} @keydown=${this.#key} @blur=${() => (this.completions = undefined)}></textarea>
        <ul id="suggestions" class="suggestions" role="listbox" aria-label=${t('suggestions')}>
          ${items.map(
            ({ text, detail, label }, index) => html`
              <li id=${`suggestion-${index}`} role="option" aria-selected=${index === this.chosen}
                @mousedown=${(event: Event) => this.#take(event, index)}>
                <code>${text}</code> <small>${[detail, label].filter(Boolean).join(' · ')}</small>
              </li>
            `,
          )}
        </ul>
        <small id="expression-help">${t('expressionHelp', { example: `${this.root || 'application'}.id > 1` })}</small>
        <small id="expression-error" class="error" role="alert">${problem ?? ''}</small>
        <button type="button" class="quiet" ?disabled=${!this.service} @click=${this.#format}>${t('format')}</button>
      </div>
    `;
  }

  async #loadService(root: string): Promise<void> {
    const { languageOf } = await import('./language.js');
    // Without its catalogue the editor stays a text area: the service checks every expression again.
    const service = await languageOf(root).catch(() => undefined);
    if (root === this.root) this.service = service;
  }

  /** The first violation. Form items are known to the service only. */
  #problem(): string | undefined {
    if (!this.service || this.value.trim() === '' || this.value.includes('formdata')) return undefined;
    const [violation] = this.service.diagnose(this.value);
    if (!violation) return undefined;
    return [violation.message, violation.hint].filter(Boolean).map(String).join('. ');
  }

  readonly #input = (event: Event): void => {
    const area = event.target as HTMLTextAreaElement;
    this.value = area.value;
    this.completions = this.service?.complete(area.value, area.selectionStart);
    this.chosen = 0;
  };

  readonly #key = (event: KeyboardEvent): void => {
    const items = this.completions?.items.slice(0, MAX_SUGGESTIONS) ?? [];
    if (event.key === ' ' && event.ctrlKey) {
      event.preventDefault();
      this.#input(event);
    } else if (items.length === 0) return;
    else if (event.key === 'Escape') this.completions = undefined;
    else if (event.key === 'ArrowDown') this.chosen = (this.chosen + 1) % items.length;
    else if (event.key === 'ArrowUp') this.chosen = (this.chosen + items.length - 1) % items.length;
    else if (event.key === 'Enter') this.#take(event, this.chosen);
    else return;
    event.preventDefault();
  };

  #take(event: Event, index: number): void {
    event.preventDefault();
    const item = this.completions?.items[index];
    const area = this.querySelector('textarea');
    if (!item || !area || !this.completions) return;
    const { from, to } = this.completions;
    area.setRangeText(item.text, from, to, 'end');
    this.value = area.value;
    this.completions = undefined;
    area.focus();
    this.dispatchEvent(new Event('input', { bubbles: true }));
  }

  readonly #format = (): void => {
    if (!this.service || this.#problem() !== undefined) return;
    try {
      this.value = this.service.format(this.value);
    } catch {
      // A text that is no expression stays as it is; its error is already shown.
      return;
    }
    this.dispatchEvent(new Event('input', { bubbles: true }));
  };
}
