import { html, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { ConsoleElement } from '../app/view.js';
import { hasScope } from '../app/session.js';
import { closeNearest, dialog } from '../parts/dialog.js';
import { FormEdits } from '../parts/form-edits.js';
import { field } from '../parts/form-field.js';
import '../parts/problem.js';
import { submitOnce } from '../parts/submit-once.js';
import { type Collection } from './catalogue.js';
import { type Column } from './columns.js';
import { type CollectionQuery, EMPTY_QUERY, formatSortKey } from './collection-query.js';
import { t as layoutText } from './layout-texts.js';
import { QueryEvent } from './query-builder.js';
import { read, send } from './service.js';
import { t } from './texts.js';
import { scalarText } from './values.js';

interface Stored {
  readonly id: number;
  readonly name: string;
}

/**
 * The kinds of stored items that a query can use. Each kind has the query parameter for its id, and the scope that is
 * needed to list its items.
 */
const KINDS = [
  {
    parameter: 'saved_search',
    path: '/api/v1/saved_searches',
    text: 'savedSearch',
    none: 'none',
    scope: 'searches:read',
  },
  {
    parameter: 'config_search',
    path: '/api/v1/config_searches',
    text: 'configSearch',
    none: 'none',
    scope: 'searches:read',
  },
  { parameter: 'layout', path: '/api/v1/layouts', text: 'layout', none: 'noLayout', scope: 'layouts:read' },
] as const;
type Kind = (typeof KINDS)[number];

/** Lists the stored searches and layouts of a collection. The user can choose one, or save a search or columns. */
@customElement('ats-collection-stored')
export class CollectionStored extends ConsoleElement {
  @property({ attribute: false }) collection!: Collection;
  @property({ attribute: false }) query!: CollectionQuery;
  /** The columns that the table shows. */
  @property({ attribute: false }) columns: readonly Column[] = [];
  #stored: Readonly<Partial<Record<Kind['parameter'], readonly Stored[]>>> = {};
  #isSaved = false;
  /** The kind of item that the open dialog saves. Undefined when no dialog is open. */
  #saving: 'search' | 'layout' | undefined;
  #error: unknown;
  readonly #edits = new FormEdits(this);

  override get isEdited(): boolean {
    return this.#edits.isEdited;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#load();
  }

  async #load(): Promise<void> {
    const readable = KINDS.filter(({ scope }) => hasScope(scope));
    const parameters = { search: `/resource=${this.collection.name}`, per_page: '200' };
    try {
      const lists = await Promise.all(readable.map(({ path }) => read<readonly Stored[]>(path, parameters)));
      this.#stored = Object.fromEntries(readable.map(({ parameter }, index) => [parameter, lists[index] ?? []]));
    } catch (error) {
      this.#error = error;
    }
    this.requestUpdate();
  }

  protected override render(): TemplateResult {
    const { search, where, filter } = this.query;
    const isSearch = search.length > 0 || where !== '' || filter !== '';
    const isLayout = this.query.columns.length > 0 && this.query.layout === '';
    return html`<span class="row">
      ${KINDS.map((kind) => this.#choice(kind))}
      ${
        isSearch && hasScope('searches:create')
          ? html`<button type="button" @click=${() => this.#show('search')}>${t('saveSearch')}</button>`
          : nothing
      }
      ${
        isLayout && hasScope('layouts:create')
          ? html`<button type="button" @click=${() => this.#show('layout')}>${layoutText('saveLayout')}</button>`
          : nothing
      }
      <span role="status">${this.#isSaved ? t('saved') : ''}</span>
      ${this.#saving ? this.#dialog() : html`<ats-problem .error=${this.#error}></ats-problem>`}
    </span>`;
  }

  #dialog(): TemplateResult {
    const isSearch = this.#saving === 'search';
    return dialog({
      title: isSearch ? t('saveSearch') : layoutText('saveLayout'),
      close: () => this.#show(undefined),
      content: html`<form novalidate @submit=${this.#save}>
        ${field({ label: t('name'), name: 'name', isRequired: true, error: this.#error })}
        ${
          isSearch
            ? html`<label class="check"><input type="checkbox" name="is_shared" /> ${t('share')}</label>`
            : html`<p>${layoutText('layoutHint', {
                columns: this.#layoutColumns()
                  .map(({ title }) => title)
                  .join(', '),
              })}</p>`
        }
        <ats-problem .error=${this.#error} .fields=${['/name']}></ats-problem>
        <p class="actions">
          <button class="primary">${t('save')}</button>
          <button type="button" @click=${closeNearest}>${t('cancel')}</button>
        </p>
      </form>`,
    });
  }

  /** Opens the dialog that saves the search or the columns, or closes it. */
  #show(saving: 'search' | 'layout' | undefined): void {
    this.#saving = saving;
    this.#error = undefined;
    this.requestUpdate();
  }

  #choice({ parameter, text, none }: Kind): TemplateResult | typeof nothing {
    const stored = this.#stored[parameter] ?? [];
    if (stored.length === 0 && this.query[parameter] === '') return nothing;
    return html`<label>${t(text)}
      <select name=${parameter}
        @change=${(event: Event) => this.#use(parameter, (event.target as HTMLSelectElement).value)}>
        <option value="">${t(none)}</option>
        ${stored.map(
          ({ id, name }) =>
            html`<option value=${id} ?selected=${String(id) === this.query[parameter]}>${name}</option>`,
        )}
      </select></label>`;
  }

  /**
   * Shows a stored item. A stored search replaces the conditions in the form, but its own conditions are not copied
   * into the form.
   */
  #use(parameter: Kind['parameter'], id: string): void {
    const { columns, layout, by } = this.query;
    const base = parameter === 'saved_search' && id !== '' ? { ...EMPTY_QUERY, columns, layout, by } : this.query;
    this.dispatchEvent(new QueryEvent({ ...base, [parameter]: id }));
  }

  readonly #save = submitOnce(async (event: SubmitEvent) => {
    const data = new FormData(event.target as HTMLFormElement);
    const { search, where, filter, sort } = this.query;
    const named = { name: scalarText(data.get('name')), resource: this.collection.name };
    if (this.#saving === 'layout') return this.#store('layout', { ...named, columns: this.#layoutColumns() });
    return this.#store('saved_search', {
      ...named,
      search,
      where: where || null,
      filter: filter || null,
      sort: sort.map(formatSortKey),
      is_shared: data.get('is_shared') !== null,
    });
  });

  async #store(parameter: Kind['parameter'], body: object): Promise<void> {
    const { path = '' } = KINDS.find((kind) => kind.parameter === parameter) ?? {};
    try {
      const { data } = await send<Stored>('post', path, { body });
      this.#isSaved = true;
      this.#show(undefined);
      await this.#load();
      this.#use(parameter, String(data.id));
    } catch (error) {
      this.#error = error;
      this.requestUpdate();
    }
  }

  /** Returns the columns of the table that a layout can have. */
  #layoutColumns(): readonly { readonly title: string; readonly datapath: string }[] {
    return this.columns.flatMap(({ label: title, datapath }) => (datapath === undefined ? [] : [{ title, datapath }]));
  }
}
