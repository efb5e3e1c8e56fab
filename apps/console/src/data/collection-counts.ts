import { html, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { formatNumber } from '../app/i18n.js';
import { ConsoleElement } from '../app/view.js';
import '../parts/problem.js';
import { type CollectionQuery, toCountParameters } from './collection-query.js';
import { type Column } from './columns.js';
import { QueryEvent } from './query-builder.js';
import { formatCondition } from './search-text.js';
import { send } from './service.js';
import { t } from './texts.js';
import { valueLabel } from './translations.js';
import { scalarText } from './values.js';

interface Group {
  readonly values: Readonly<Record<string, unknown>>;
  readonly count: number;
}

/** Maximum number of bars. More would be unreadable. The chart shows the largest groups. */
const MAX_BARS = 20;

/** Counts the items of a collection by one of their values, and shows the counts as bars. A bar links to its items. */
@customElement('ats-collection-counts')
export class CollectionCounts extends ConsoleElement {
  @property({ attribute: false }) path!: string;
  @property({ attribute: false }) columns!: readonly Column[];
  @property({ attribute: false }) query!: CollectionQuery;
  #asked = '';
  #groups: readonly Group[] = [];
  #error: unknown;

  protected override updated(): void {
    const asked = `${this.path}?${toCountParameters(this.query)}`;
    if (this.#asked === asked) return;
    this.#asked = asked;
    if (this.query.by === '') this.#groups = [];
    else void this.#load(asked);
  }

  async #load(asked: string): Promise<void> {
    try {
      const parameters = toCountParameters(this.query);
      const { data } = await send<readonly Group[]>('get', `${this.path}/counts`, { parameters });
      if (asked !== this.#asked) return;
      [this.#groups, this.#error] = [data, undefined];
    } catch (error) {
      [this.#groups, this.#error] = [[], error];
    }
    this.requestUpdate();
  }

  protected override render(): TemplateResult {
    const paths = this.columns.filter(({ sortPath, kind }) => sortPath !== undefined && kind !== 'datetime');
    return html`<div class="counts">
      <label>${t('countBy')}
        <select @change=${(event: Event) => this.#show({ by: (event.target as HTMLSelectElement).value })}>
          <option value="">${t('none')}</option>
          ${paths.map(
            ({ sortPath = '', label }) =>
              html`<option value=${sortPath} ?selected=${sortPath === this.query.by}>${label}</option>`,
          )}
        </select></label>
      ${this.#error === undefined ? nothing : html`<ats-problem .error=${this.#error}></ats-problem>`}
      ${this.query.by === '' || this.#groups.length === 0 ? nothing : this.#chart()}
    </div>`;
  }

  #chart(): TemplateResult {
    const { name = '', label: column = this.query.by } =
      this.columns.find(({ sortPath }) => sortPath === this.query.by) ?? {};
    const most = Math.max(...this.#groups.map(({ count }) => count));
    return html`<ul class="bars card" aria-label=${t('countsOf', { column })}>
      ${this.#groups.slice(0, MAX_BARS).map(({ values, count }) => {
        const value = values[this.query.by];
        const text = scalarText(value);
        return html`<li>
          <button type="button" @click=${() => this.#narrow(text)}>${valueLabel(name, text) || t('noValue')}</button>
          <meter min="0" max=${most} value=${count} aria-hidden="true"></meter>
          <span>${formatNumber(count)}</span>
        </li>`;
      })}
    </ul>`;
  }

  #narrow(value: string): void {
    const condition = formatCondition({ key: this.query.by, operator: '=', values: [value] });
    if (!this.query.search.includes(condition)) this.#show({ search: [...this.query.search, condition] });
  }

  #show(part: Partial<CollectionQuery>): void {
    this.dispatchEvent(new QueryEvent({ ...this.query, ...part }));
  }
}
