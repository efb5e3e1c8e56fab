import { html, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { href } from '../app/router.js';
import { ConsoleElement } from '../app/view.js';
import { titleById } from './collection-titles.js';
import { readItemName } from './item-names.js';
import { addressOf, itemOf } from './links.js';
import { readCatalogue } from './service.js';

/** The collections with personal data. Each read of their items adds an entry to the audit log. */
const AUDITED = ['applications', 'event_applications', 'candidates', 'recruiters', 'users', 'communications'];

/**
 * The name of an item with a link to its page. It shows the id until the name is read, and also when the credential may
 * not read the item.
 */
@customElement('ats-item-link')
export class ItemLink extends ConsoleElement {
  /** The `url` of the item. */
  @property() url = '';
  /** The name of the item's collection. Needed only when there is no `url`. */
  @property() collection = '';
  @property({ type: Number }) itemId = 0;
  /** When true, the link shows the kind and the id of an item if reading its name would add an audit entry. */
  @property({ type: Boolean }) avoidsAudit = false;
  @state() private address: string | undefined;
  @state() private name: string | undefined;

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('url') || changed.has('collection') || changed.has('itemId')) void this.#find();
  }

  protected override render(): TemplateResult {
    const text = html`<bdi>${this.name ?? `#${this.itemId}`}</bdi>`;
    return this.address === undefined ? text : html`<a href=${href(this.address)}>${text}</a>`;
  }

  async #find(): Promise<void> {
    const { url, collection: asked, itemId: id } = this;
    [this.address, this.name] = [undefined, undefined];
    const isCurrent = (): boolean => this.url === url && this.collection === asked && this.itemId === id;
    try {
      const { collections } = await readCatalogue();
      const [collection] = itemOf(url, collections) ?? [collections.find(({ name }) => name === asked)];
      if (!collection || !isCurrent()) return;
      this.address = addressOf(collection, id);
      const isRead = !this.avoidsAudit || !AUDITED.includes(collection.name);
      const name = isRead ? await readItemName(collection, id) : titleById(collection.name, id);
      if (isCurrent()) this.name = name;
    } catch {
      // After an error, the link keeps showing the id. The view itself shows the errors of its own requests.
    }
  }
}
