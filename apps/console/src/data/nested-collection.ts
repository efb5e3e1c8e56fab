import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { t as common } from '../app/texts.js';
import { ConsoleElement } from '../app/view.js';
import '../parts/problem.js';
import { type Collection, type NestedCollection } from './catalogue.js';
import { objectTable } from './item-properties.js';
import { send, totalOf } from './service.js';
import { t } from './texts.js';

type Row = Readonly<Record<string, unknown>>;

const PAGE_ROWS = 20;

/** Shows the items of a collection below an item, such as the subscriptions of a topic, as a table. */
@customElement('ats-nested-collection')
export class NestedCollectionTable extends ConsoleElement {
  @property({ attribute: false }) nested!: NestedCollection;
  /** The path of the collection, such as `/api/v1/notification_topics/1/subscriptions`. */
  @property() path = '';
  @property({ attribute: false }) collections: readonly Collection[] = [];
  @state() private rows: readonly Row[] = [];
  @state() private total: number | undefined;
  @state() private error: unknown;

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('path')) void this.#load(1);
  }

  protected override render(): TemplateResult {
    const { rows, total, error } = this;
    const { title } = this.nested;
    return html`<section class="card">
      <h2>${title}</h2>
      <p role="status">${total === undefined ? nothing : t('items', { count: total })}</p>
      ${rows.length > 0 ? objectTable(rows, this.collections, title) : nothing}
      <ats-problem .error=${error} .retry=${() => this.#load(this.#nextPage)}></ats-problem>
      ${
        rows.length < (total ?? 0)
          ? html`<p class="actions"><button type="button"
              @click=${() => this.#load(this.#nextPage)}>${common('more')}</button></p>`
          : nothing
      }
    </section>`;
  }

  get #nextPage(): number {
    return Math.floor(this.rows.length / PAGE_ROWS) + 1;
  }

  async #load(page: number): Promise<void> {
    const { path } = this;
    this.error = undefined;
    try {
      const parameters = { page: String(page), per_page: String(PAGE_ROWS) };
      const { data, response } = await send<readonly Row[]>('get', path, { parameters });
      if (path !== this.path) return;
      this.rows = page === 1 ? data : [...this.rows, ...data];
      this.total = totalOf(response);
    } catch (error) {
      this.error = error;
    }
  }
}
