import { ApiError } from '@ats/client';
import { emptyState } from '@ats/elements/parts';
import { html, nothing, type TemplateResult } from 'lit';
import { customElement } from 'lit/decorators.js';
import { href } from '../app/router.js';
import { ViewElement } from '../app/view.js';
import '../parts/call-button.js';
import '../parts/problem.js';
import './collection-counts.js';
import './collection-export.js';
import './collection-stored.js';
import './collection-table.js';
import './data.css';
import './query-builder.js';
import { type Collection } from './catalogue.js';
import {
  type CollectionQuery,
  EMPTY_QUERY,
  fromFragment,
  toCountParameters,
  toFragment,
  toParameters,
  toggleSort,
} from './collection-query.js';
import { type CollectionTable, type Row, type SortEvent, type TableColumn } from './collection-table.js';
import { type Column, usualColumns } from './columns.js';
import { callOf } from './calls.js';
import { descriptionOf } from './description.js';
import { addressOf } from './links.js';
import { PAGE_ROWS, PageCache } from './page-cache.js';
import { type QueryEvent } from './query-builder.js';
import { findCollection, readColumns, send, totalOf } from './service.js';
import { t } from './texts.js';
import { t as titles } from './titles.js';

/** Parameters whose errors the query builder shows next to their fields. The page does not show them a second time. */
const BUILDER_PARAMETERS = ['search', 'where', 'filter', 'sort'];

/** The properties of a layout from `GET /layouts` that the table reads. */
interface Layout {
  readonly columns: readonly { readonly title: string; readonly datapath: string; readonly type: string }[];
}

/** Shows any collection of the API as a table that can be searched, counted and exported. */
@customElement('ats-collection-view')
export class CollectionView extends ViewElement {
  /** The name of the collection. Subclasses that show one collection at an address of their own override it. */
  protected get collectionName(): string {
    return this.params['collection'] ?? '';
  }
  #collection: Collection | undefined;
  #columns: readonly Column[] = [];
  #layout: Layout | undefined;
  /** The columns of the table, and the values from which they were made. */
  #made: { readonly from: readonly unknown[]; readonly columns: readonly TableColumn[] } | undefined;
  #query: CollectionQuery = fromFragment(location.hash);
  #cache: PageCache<Row> | undefined;
  #error: unknown;
  #isMissing = false;
  /** True once the user has opened the query builder. Loading its datapaths takes a large part of the rate limit. */
  #isBuilderShown = false;
  #version = 0;
  /** The language of the titles and columns. When the user changes the language, the view reads them again. */
  #readIn = this.language;

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener('hashchange', this.#followAddress);
    addEventListener('popstate', this.#followAddress);
    void this.#start();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener('hashchange', this.#followAddress);
    removeEventListener('popstate', this.#followAddress);
    this.#cache?.stop();
  }

  async #start(): Promise<void> {
    this.#error = undefined;
    try {
      this.#collection = await findCollection(this.collectionName);
      this.#isMissing = this.#collection === undefined;
      if (this.#collection) {
        this.#columns = await readColumns(this.#collection.name);
        await this.#load();
      }
    } catch (error) {
      this.#error = error;
    }
    this.requestUpdate();
  }

  /** Shows a new table after the query has changed. */
  async #load(): Promise<void> {
    const { path } = this.#collection as Collection;
    const query = this.#query;
    this.#error = undefined;
    this.#cache?.stop();
    this.#layout = undefined;
    try {
      if (query.layout !== '') this.#layout = (await send<Layout>('get', `/api/v1/layouts/${query.layout}`)).data;
    } catch (error) {
      this.#error = error;
    }
    const load = async (page: number, signal: AbortSignal) => {
      const parameters = this.#pageParameters(query, page);
      const { data, response } = await send<readonly Row[]>('get', path, { parameters, signal });
      return { rows: data, total: totalOf(response) };
    };
    this.#cache = new PageCache(load, this.#changed, this.#fail);
    this.#cache.need(0, 0);
    this.requestUpdate();
    this.querySelector<CollectionTable>('ats-collection-table')?.toStart();
  }

  /** Returns the parameters of a page. They request only the properties that the table shows. */
  #pageParameters(query: CollectionQuery, page: number): URLSearchParams {
    const parameters = toParameters(query);
    parameters.set('page', String(page));
    parameters.set('per_page', String(PAGE_ROWS));
    parameters.set(
      'fields',
      this.#layout
        ? 'id'
        : this.#shownColumns()
            .map(({ name }) => name)
            .join(','),
    );
    return parameters;
  }

  readonly #changed = (): void => {
    this.#version += 1;
    this.requestUpdate();
  };

  readonly #fail = (error: unknown): void => {
    this.#error = error;
    this.#changed();
  };

  /** Repeats the requests that failed. The rows that the table already has stay visible. */
  readonly #retry = (): void => {
    const cache = this.#cache;
    this.requestUpdate();
    if (!this.#collection || this.#columns.length === 0) return void this.#start();
    if (!cache?.length || (this.#query.layout !== '' && !this.#layout)) return void this.#load();
    this.#error = undefined;
    cache.retry();
  };

  readonly #followAddress = (): void => {
    if (location.hash.replace(/^#/, '') === toFragment(this.#query)) return;
    this.#query = fromFragment(location.hash);
    if (this.#collection) void this.#load();
  };

  #show(query: CollectionQuery): void {
    this.#query = query;
    history.replaceState(null, '', `${location.pathname}${location.search}#${toFragment(query)}`);
    void this.#load();
  }

  protected override updated(): void {
    if (this.#readIn !== this.language) {
      this.#readIn = this.language;
      void this.#start();
    }
    this.setWindowTitle(this.#collection?.title ?? '');
  }

  protected override render(): TemplateResult {
    if (this.#isMissing) return html`<h1>${titles('data')}</h1><p>${t('unknownCollection')}</p>`;
    const collection = this.#collection;
    const cache = this.#cache;
    if (!collection || !cache)
      return html`<h1>${titles('data')}</h1>${this.#problem() ?? html`<p role="status">${t('loading')}</p>`}`;
    return html`
      <header class="page-header">
        <h1>${collection.title}</h1>
        <p class="muted">${descriptionOf(collection.description)}</p>
      </header>
      <details class="card" ?open=${this.#faults().length > 0} @toggle=${this.#showBuilder}>
        <summary>${t('search')}</summary>
        ${
          this.#isBuilderShown
            ? html`<ats-query-builder .query=${this.#query} .columns=${this.#columns} .root=${this.#root}
                .faults=${this.#faults()}
                @query-change=${(event: QueryEvent) => this.#show(event.query)}></ats-query-builder>`
            : nothing
        }
      </details>
      <div class="toolbar">
        <p role="status" class="count">${this.#count()}</p>
        <ats-collection-stored .collection=${collection} .query=${this.#query} .columns=${this.#shownColumns()}
          @query-change=${(event: QueryEvent) => this.#show(event.query)}></ats-collection-stored>
        <ats-collection-export .path=${collection.path} .name=${collection.name} .query=${this.#query}
          .fields=${this.#query.columns}></ats-collection-export>
        <ats-call-button .call=${callOf(collection, this.#query)}></ats-call-button>
      </div>
      ${
        collection.isCounted
          ? html`<ats-collection-counts .path=${collection.path} .columns=${this.#columns} .query=${this.#query}
        @query-change=${(event: QueryEvent) => this.#show(event.query)}></ats-collection-counts>`
          : nothing
      }
      ${this.#problem() ?? nothing} ${this.#table(cache)}
    `;
  }

  #table(cache: PageCache<Row>): TemplateResult {
    if (this.#error !== undefined && cache.length === 0) return html``;
    if (cache.total === 0 && !cache.isLoading) return this.#empty();
    return html`<ats-collection-table .cache=${cache} .columns=${this.#tableColumns()} .query=${this.#query}
      .hrefOf=${(row: Row) => href(addressOf(this.#collection as Collection, row.id))} .label=${this.#collection?.title}
      .version=${this.#version}
      @sort-by=${this.#sort}></ats-collection-table>`;
  }

  /** Returns the help for an empty table: show all items, or create the first one. */
  #empty(): TemplateResult {
    if ([...toCountParameters(this.#query).keys()].length === 1) return emptyState(t('noItems'), t('noItemsHelp'));
    const showAll = (): void => this.#show({ ...EMPTY_QUERY, columns: this.#query.columns });
    const button = html`<button type="button" class="primary" @click=${showAll}>${t('showAll')}</button>`;
    return emptyState(t('noMatch'), t('noMatchHelp'), button);
  }

  readonly #showBuilder = (): void => {
    this.#isBuilderShown = true;
    this.requestUpdate();
  };

  readonly #sort = ({ path, isAdded }: SortEvent): void => this.#show(toggleSort(this.#query, path, isAdded));

  #count(): string {
    const cache = this.#cache;
    if (this.#error !== undefined && !cache?.length) return '';
    if (!cache || (cache.isLoading && cache.length === 0)) return t('loading');
    return cache.total === undefined ? t('uncounted') : t('items', { count: cache.total });
  }

  /**
   * Returns the same list until the query or the layout changes, because the table renders its rows again for a new
   * list.
   */
  #tableColumns(): readonly TableColumn[] {
    const from = [this.#layout, this.#columns, this.#query.columns];
    if (!this.#made?.from.every((part, index) => part === from[index]))
      this.#made = { from, columns: this.#makeColumns() };
    return this.#made.columns;
  }

  #makeColumns(): readonly TableColumn[] {
    const layout = this.#layout;
    if (!layout) return this.#shownColumns().map((column) => ({ ...column, value: (row: Row) => row[column.name] }));
    const data = (row: Row) => row['layout_data'] as readonly { readonly value: unknown }[] | undefined;
    return [
      { label: 'ID', kind: 'integer', sortPath: `${this.#root}.id`, value: (row: Row) => row.id },
      ...layout.columns.map(({ title, type }, index) => ({
        label: title,
        kind: type === 'datetime' ? ('datetime' as const) : ('text' as const),
        sortPath: undefined,
        value: (row: Row) => data(row)?.[index]?.value,
      })),
    ];
  }

  #shownColumns(): readonly Column[] {
    const names = this.#query.columns.length > 0 ? this.#query.columns : usualColumns(this.#columns);
    const shown = names.flatMap((name) => this.#columns.find((column) => column.name === name) ?? []);
    return shown.length > 0 ? shown : this.#columns.slice(0, 1);
  }

  /** Returns the object type with which the datapaths of the collection begin. */
  get #root(): string {
    return this.#columns.find(({ name }) => name === 'id')?.sortPath?.split('.')[0] ?? '';
  }

  #faults(): ApiError['violations'] {
    return this.#error instanceof ApiError
      ? this.#error.violations.filter(({ parameter }) => parameter !== undefined)
      : [];
  }

  #problem(): TemplateResult | undefined {
    return this.#error === undefined
      ? undefined
      : html`<ats-problem .error=${this.#error} .fields=${BUILDER_PARAMETERS}
          .retry=${this.#retry}></ats-problem>`;
  }
}
