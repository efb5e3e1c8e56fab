import { type ObjectPreview } from '@ats/client';
import { faultAt } from '@ats/elements/parts';
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { ConsoleElement } from '../app/view.js';
import { firstLine } from '../parts/form-field.js';
import '../parts/problem.js';
import './item-link.js';
import { send } from './service.js';
import { t } from './texts.js';

/** Pause in ms after the last typed character before a request is sent. */
const PAUSE_MS = 600;
const LIMIT = 5;

/** Shows which objects match an expression now. It asks the service again while the expression changes. */
@customElement('ats-object-preview')
export class ObjectPreviewBox extends ConsoleElement {
  /** The path of the operation, such as `/api/v1/vacancies/1/scoring_rules/preview`. */
  @property() path = '';
  @property() expression = '';
  /** Further properties of the body, besides the expression. */
  @property({ attribute: false }) more: object = {};
  @state() private found: ObjectPreview | undefined;
  @state() private error: unknown;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #abort: AbortController | undefined;

  override disconnectedCallback(): void {
    clearTimeout(this.#timer);
    this.#abort?.abort();
    super.disconnectedCallback();
  }

  protected override updated(changed: PropertyValues<this>): void {
    const isSame = JSON.stringify(changed.get('more') ?? this.more) === JSON.stringify(this.more);
    if (!changed.has('expression') && !changed.has('path') && isSame) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#ask(), this.hasUpdated ? PAUSE_MS : 0);
  }

  protected override render(): TemplateResult {
    const { found } = this;
    return html`<div class="object-preview">
      ${this.#problem()}
      <p role="status">${found ? t(found.count === null ? 'manyMatch' : 'countMatch', { count: found.count ?? 0 }) : nothing}</p>
      ${
        found && found.items.length > 0
          ? html`<ul class="plain">${found.items.map(
              ({ id, url, values }) => html`<li><ats-item-link .url=${url ?? ''} .itemId=${id}></ats-item-link>:
                <small dir="ltr">${Object.entries(values)
                  .map(([path, value]) => `${path} = ${JSON.stringify(value)}`)
                  .join(', ')}</small></li>`,
            )}</ul>`
          : nothing
      }
    </div>`;
  }

  /**
   * Shows the error of the service. The editor already shows the violations of an expression while a user types. Only
   * the service knows the items of forms, so this element also shows violations of expressions with `formdata`.
   */
  #problem(): TemplateResult | typeof nothing {
    const fault = firstLine(faultAt(this.error, '/expression'));
    if (fault === undefined) return html`<ats-problem .error=${this.error}></ats-problem>`;
    return this.expression.includes('formdata')
      ? html`<p class="error" role="status" dir="auto">${fault}</p>`
      : nothing;
  }

  async #ask(): Promise<void> {
    this.#abort?.abort();
    const { signal } = (this.#abort = new AbortController());
    const expression = this.expression.trim();
    this.error = undefined;
    if (expression === '') {
      this.found = undefined;
      return;
    }
    try {
      const body = { ...this.more, expression, limit: LIMIT };
      const { data } = await send<ObjectPreview>('post', this.path, { body, signal });
      if (!signal.aborted) this.found = data;
    } catch (error) {
      if (!signal.aborted) [this.found, this.error] = [undefined, error];
    }
  }
}
