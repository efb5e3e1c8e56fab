import { Load } from '@ats/elements/parts';
import { html, nothing, type TemplateResult } from 'lit';
import { customElement } from 'lit/decorators.js';
import { href } from '../app/router.js';
import { ViewElement } from '../app/view.js';
import '../parts/call-button.js';
import { toast } from '../parts/toast.js';
import { itemCallOf } from './calls.js';
import { type Collection } from './catalogue.js';
import { titleById } from './collection-titles.js';
import { type Column } from './columns.js';
import './data.css';
import './item-form.js';
import { type ItemForm, type Submit } from './item-form.js';
import './nested-collection.js';
import './scoring-rules.js';
import { itemProperties } from './item-properties.js';
import { findCollection, readCatalogue, readColumns, send } from './service.js';
import { t } from './texts.js';
import { t as titles } from './titles.js';
import { nameOf } from './values.js';

interface Loaded {
  readonly collection: Collection;
  readonly collections: readonly Collection[];
  readonly columns: readonly Column[];
  readonly item: Readonly<Record<string, unknown>>;
  readonly etag: string | null;
}

/** An item that the signed-in credential may change. */
export interface WritableItem {
  readonly item: Loaded['item'];
  /** The path of the item, such as `/api/v1/forms/1`. */
  readonly path: string;
  readonly submit: Submit;
}

/** Shows one item of any collection: all its properties, and a form for the properties that can be changed. */
@customElement('ats-item-view')
export class ItemView extends ViewElement {
  #isEditing = false;
  /** The typed values, which the example of the API call shows. */
  #draft: Readonly<Record<string, unknown>> = {};
  /**
   * The language in which the item was read. When the user changes the language, the view reads the item again, because
   * localised texts must be sent back in the language in which they were read.
   */
  #readIn: string | undefined;
  readonly #loaded = new Load<Loaded | 'missing'>(this, () => this.#load());

  /** The collection and the id of the item. Subclasses with an address of their own override it. */
  protected get place(): { readonly collection: string; readonly id: string } {
    return { collection: this.params['collection'] ?? '', id: this.params['id'] ?? '' };
  }

  protected override updated(): void {
    const { data } = this.#loaded;
    if (data && data !== 'missing') this.setWindowTitle(titleById(data.collection.name, this.place.id));
    if (this.#readIn !== undefined && this.#readIn !== this.language) void this.#loaded.run();
  }

  async #load(): Promise<Loaded | 'missing'> {
    this.#readIn = this.language;
    const { collection: name, id } = this.place;
    const collection = await findCollection(name);
    if (!collection) return 'missing';
    const [columns, { collections }, { data, response }] = await Promise.all([
      readColumns(name),
      readCatalogue(),
      send<Loaded['item']>('get', `${collection.path}/${id}`),
    ]);
    return { collection, collections, columns, item: data, etag: response.headers.get('etag') };
  }

  protected override render(): TemplateResult {
    const { data, error } = this.#loaded;
    const heading = error === undefined || data ? nothing : html`<h1>${titles('data')}</h1>`;
    return html`${heading}${this.#loaded.render((loaded) =>
      loaded === 'missing' ? html`<h1>${titles('data')}</h1><p>${t('unknownCollection')}</p>` : this.#page(loaded),
    )}`;
  }

  #page({ collection, collections, columns, item, etag }: Loaded): TemplateResult {
    const isWritable = Object.keys(collection.writable).length > 0;
    const call = itemCallOf(collection, Number(item['id']), this.#isEditing ? this.#draft : undefined, headersOf(etag));
    return html`
      <p><a href=${href(`data/${collection.name}`)}>${collection.title}</a></p>
      <header class="row">
        <h1><bdi>${headingOf(item, collection.name)}</bdi></h1>
        <span class="actions">
          ${
            isWritable && !this.#isEditing
              ? html`<button class="edit" @click=${() => this.#edit(true)}>${t('edit')}</button>`
              : nothing
          }
          <ats-call-button .call=${call}></ats-call-button>
        </span>
      </header>
      ${collection.isChangeable && !isWritable ? html`<p class="muted">${t('readOnly')}</p>` : nothing}
      ${
        this.#isEditing
          ? html`<ats-item-form class="card" .schemas=${collection.writable} .values=${valuesOf(item)}
            .submit=${this.#save} @draft-change=${this.#type}
              .cancel=${() => this.#edit(false)}></ats-item-form>`
          : itemProperties(item, columns, collections)
      }
      ${collection.nested.map(
        (nested) => html`<ats-nested-collection .nested=${nested} .collections=${collections}
          .path=${`${collection.path}/${String(item['id'])}/${nested.segment}`}></ats-nested-collection>`,
      )}
      ${
        isWritable
          ? this.editors({ item, path: `${collection.path}/${String(item['id'])}`, submit: this.#save })
          : nothing
      }
    `;
  }

  #edit(isEditing: boolean): void {
    this.#isEditing = isEditing;
    this.#draft = {};
    if (!isEditing) this.editingEnded();
    this.requestUpdate();
  }

  readonly #type = (event: Event): void => {
    this.#draft = (event.target as ItemForm).draft;
    this.draftChanged(this.#draft);
    this.requestUpdate();
  };

  /** Renders the editors below the properties. */
  protected editors({ item, path, submit }: WritableItem): unknown {
    return Array.isArray(item['scoring_rules'])
      ? html`<ats-scoring-rules .path=${path} .rules=${item['scoring_rules']} .submit=${submit}></ats-scoring-rules>`
      : nothing;
  }

  /** The item as it was loaded. Undefined before that, and when the item is missing. */
  protected get item(): Loaded['item'] | undefined {
    const { data } = this.#loaded;
    return data === 'missing' ? undefined : data?.item;
  }

  /** Called with the valid changed values of the form after each input. */
  protected draftChanged(_draft: Readonly<Record<string, unknown>>): void {}

  /** Called when the form is closed. */
  protected editingEnded(): void {}

  readonly #save: Submit = async (changed) => {
    const loaded = this.#loaded.data as Loaded;
    await send('patch', `${loaded.collection.path}/${String(loaded.item['id'])}`, {
      body: changed,
      headers: headersOf(loaded.etag),
    });
    toast(t('saved'));
    this.#edit(false);
    await this.#loaded.run();
  };
}

/** Returns the name of an item, or its title in the singular when it has no name. */
function headingOf(item: Loaded['item'], collection: string): string {
  const [name, id] = [nameOf(item), Number(item['id'])];
  return name === `#${id}` ? titleById(collection, id) : name;
}

/**
 * Returns the header `If-Match` with the version of the item that was read. So a change cannot overwrite the change of
 * another user.
 */
const headersOf = (etag: string | null): Readonly<Record<string, string>> =>
  etag === null ? {} : { 'If-Match': etag };

/**
 * Returns the present values of an item under the names of its body. For example, the reference `posting` becomes
 * `posting_id`.
 */
function valuesOf(item: Loaded['item']): Readonly<Record<string, unknown>> {
  const ids = Object.entries(item).flatMap(([name, value]) =>
    typeof value === 'object' && value !== null && 'id' in value ? [[`${name}_id`, value.id] as const] : [],
  );
  return { ...Object.fromEntries(ids), ...item };
}
