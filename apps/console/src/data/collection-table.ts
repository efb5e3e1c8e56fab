import { html, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { guard } from 'lit/directives/guard.js';
import { repeat } from 'lit/directives/repeat.js';
import { language } from '../app/i18n.js';
import { ConsoleElement } from '../app/view.js';
import { type CollectionQuery, directionOf } from './collection-query.js';
import { type Kind } from './columns.js';
import './item-link.js';
import { type PageCache } from './page-cache.js';
import { t } from './texts.js';
import { nameOf, textOf } from './values.js';

const ROW_HEIGHT = 40;
/** Number of rows that are rendered above and below the visible ones, so that scrolling shows no gap. */
const SPARE_ROWS = 12;
/** Maximum height in pixels, below the limit of browsers for an element. 500,000 rows fit into it. */
const MAX_HEIGHT = 18_000_000;

/** One column of the table. */
export interface TableColumn {
  /** The name of the property. Absent for the column of a layout. */
  readonly name?: string;
  readonly label: string;
  readonly kind: Kind;
  readonly sortPath: string | undefined;
  readonly value: (row: Row) => unknown;
}
export type Row = Readonly<Record<string, unknown>> & { readonly id: number };

/** Asks for another order. With `isAdded`, the sort key is added to the others. */
export class SortEvent extends Event {
  constructor(
    readonly path: string,
    readonly isAdded: boolean,
  ) {
    super('sort-by', { bubbles: true, composed: true });
  }
}

/**
 * A table with any number of rows. It renders only the visible rows, and loads their pages through a cache. The arrow
 * keys move from row to row, even to rows that are not loaded yet.
 */
@customElement('ats-collection-table')
export class CollectionTable extends ConsoleElement {
  @property({ attribute: false }) cache!: PageCache<Row>;
  @property({ attribute: false }) columns!: readonly TableColumn[];
  @property({ attribute: false }) query!: CollectionQuery;
  @property({ attribute: false }) hrefOf!: (row: Row) => string;
  @property({ attribute: false }) label!: string;
  /** A counter. The table renders again when it changes, because the cache has changed. */
  @property({ attribute: false }) version!: number;
  #first = 0;
  #visible = 20;
  #active = 0;
  #isFocusWanted = false;
  readonly #resize = new ResizeObserver(() => this.#measure());

  override connectedCallback(): void {
    super.connectedCallback();
    this.#resize.observe(this);
  }
  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#resize.disconnect();
  }

  protected override render(): TemplateResult {
    const { length } = this.cache;
    const first = Math.max(0, this.#first - SPARE_ROWS);
    const last = Math.min(length, this.#first + this.#visible + SPARE_ROWS);
    const indexes = Array.from({ length: Math.max(0, last - first) }, (_, offset) => first + offset);
    return html`<div class="table" tabindex="0" role="region" aria-label=${this.label}
      @scroll=${this.#measure} @keydown=${this.#move}>
      <table aria-rowcount=${length + 1} aria-label=${this.label}>
        <thead><tr aria-rowindex="1">${this.columns.map((column) => this.#heading(column))}</tr></thead>
        <tbody>
          ${spacer(first)}
          ${repeat(
            indexes,
            (index) => index,
            // While the table scrolls, a row that stays visible is not rendered again.
            (index) =>
              guard([this.cache.row(index), this.cache.hasFailed(index), this.columns, language()], () =>
                this.#row(index),
              ),
          )}
          ${spacer(length - last)}
        </tbody>
      </table>
    </div>`;
  }

  protected override updated(): void {
    this.cache.need(this.#first, Math.min(this.#first + this.#visible, Math.max(this.cache.length - 1, 0)));
    if (!this.#isFocusWanted) return;
    const link = this.querySelector<HTMLElement>(`[data-index="${this.#active}"] a`);
    if (link) this.#isFocusWanted = false;
    link?.focus({ preventScroll: true });
  }

  /** Scrolls to the first row after a change of the query. */
  toStart(): void {
    this.#active = 0;
    if (this.#scroller) this.#scroller.scrollTop = 0;
    this.#measure();
  }

  get #scroller(): HTMLElement | null {
    return this.querySelector('.table');
  }

  #heading({ label, sortPath }: TableColumn): TemplateResult {
    if (sortPath === undefined) return html`<th scope="col">${label}</th>`;
    const direction = directionOf(this.query, sortPath);
    const sort = direction && (direction === 'asc' ? 'ascending' : 'descending');
    return html`<th scope="col" aria-sort=${sort ?? 'none'}>
      <button title=${t('sortBy', { column: label })}
        @click=${(event: MouseEvent) => this.dispatchEvent(new SortEvent(sortPath, event.shiftKey))}>
        ${label}<span aria-hidden="true">${direction ? (direction === 'asc' ? ' ▲' : ' ▼') : ''}</span>
      </button>
    </th>`;
  }

  #row(index: number): TemplateResult {
    const row = this.cache.row(index);
    const cells = this.columns.map(({ name = '', value, kind }, at) => {
      if (!row && this.cache.hasFailed(index))
        return html`<td class="muted">${at === 0 ? t('notLoaded') : nothing}</td>`;
      if (!row) return html`<td class="waiting">${at === 0 ? WAITING() : nothing}</td>`;
      const text = textOf(value(row), kind, name);
      if (at === 0)
        return html`<th scope="row"><a href=${this.hrefOf(row)}><bdi>${text || `#${row.id}`}</bdi></a></th>`;
      const nameless = namelessOf(value(row));
      if (nameless)
        return html`<td class=${kind}><ats-item-link .url=${nameless.url} .itemId=${nameless.id}
          .avoidsAudit=${true}></ats-item-link></td>`;
      return html`<td class=${kind}
        title=${text}><bdi>${kind === 'boolean' && text !== '' ? t(text === 'true' ? 'yes' : 'no') : text}</bdi></td>`;
    });
    return html`<tr data-index=${index} aria-rowindex=${index + 2}>${cells}</tr>`;
  }

  readonly #measure = (): void => {
    const scroller = this.#scroller;
    if (!scroller) return;
    const first = Math.floor(scroller.scrollTop / ROW_HEIGHT);
    const visible = Math.ceil(scroller.clientHeight / ROW_HEIGHT);
    if (first === this.#first && visible === this.#visible) return;
    [this.#first, this.#visible] = [first, visible];
    this.requestUpdate();
  };

  readonly #move = (event: KeyboardEvent): void => {
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: this.#visible - 2,
      PageUp: 2 - this.#visible,
      Home: -Infinity,
      End: Infinity,
    };
    const step = steps[event.key];
    if (step === undefined || this.cache.length === 0) return;
    event.preventDefault();
    const row = (event.target as Element).closest<HTMLElement>('[data-index]');
    const from = row ? Number(row.dataset['index']) : this.#active - Math.sign(step);
    this.#active = Math.min(this.cache.length - 1, Math.max(0, from + step));
    this.#isFocusWanted = true;
    this.#show(this.#active);
    this.requestUpdate();
  };

  #show(index: number): void {
    const scroller = this.#scroller;
    if (!scroller) return;
    const top = index * ROW_HEIGHT;
    // Adds the height of the heading, which covers the first visible row.
    const bottom = top + 2 * ROW_HEIGHT - scroller.clientHeight;
    if (top < scroller.scrollTop) scroller.scrollTop = top;
    else if (bottom > scroller.scrollTop) scroller.scrollTop = bottom;
    this.#measure();
  }
}

/** Returns the id and the `url` of a related object when the row lacks its name. The table then reads the name. */
function namelessOf(value: unknown): { readonly id: number; readonly url: string } | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { id, url } = value as { readonly id?: unknown; readonly url?: unknown };
  if (typeof id !== 'number' || typeof url !== 'string') return undefined;
  return nameOf(value as Readonly<Record<string, unknown>>) === `#${id}` ? { id, url } : undefined;
}

const WAITING = (): TemplateResult => html`<span class="visually-hidden">${t('loading')}</span>`;

/**
 * Returns an empty row in place of the rows that are not rendered. A script sets its height, because the
 * Content-Security-Policy forbids a `style` attribute.
 */
const spacer = (rows: number): TemplateResult | typeof nothing => {
  if (rows <= 0) return nothing;
  const height = Math.min(rows * ROW_HEIGHT, MAX_HEIGHT);
  return html`<tr class="space" aria-hidden="true"><td colspan="100" .style=${`height: ${height}px`}></td></tr>`;
};
