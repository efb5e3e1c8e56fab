import { directionOf, Load } from '@ats/elements/parts';
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { formatTime, language } from '../app/i18n.js';
import { ConsoleElement } from '../app/view.js';
import { namesIn, referenceOf } from '../data/change-values.js';
import { type Column, type Kind, labelOf } from '../data/columns.js';
import '../data/item-link.js';
import { read, readCatalogue, readColumns } from '../data/service.js';
import { textOf } from '../data/values.js';
import { type Form, type Item } from './answers.js';
import { t } from './texts.js';

interface Entry {
  readonly id: number;
  readonly type:
    | 'created'
    | 'state_change'
    | 'field_change'
    | 'form_submitted'
    | 'comm_sent'
    | 'copied'
    | 'anonymised'
    | 'deleted';
  readonly date: string;
  readonly from: { readonly name: string } | null;
  readonly to: { readonly name: string } | null;
  readonly comment: string | null;
  readonly changes: readonly Change[] | null;
}
interface Change {
  readonly path: string;
  readonly old: unknown;
  readonly new: unknown;
}
interface Page extends Labels {
  readonly items: readonly Entry[];
  readonly has_more: boolean;
}

/**
 * The columns of the collection, and the form items by their ids. The timeline takes the labels of changed properties
 * from them.
 */
interface Labels {
  readonly columns: readonly Column[];
  readonly formItems: ReadonlyMap<string, Item>;
}

const PAGE = 20;
const FORMS = '/api/v1/forms';

/** The history of an application. The newest entry comes first. */
@customElement('ats-application-timeline')
export class ApplicationTimeline extends ConsoleElement {
  @property() path = '';
  @property() resource = '';
  @property({ type: Number }) opportunity = 0;
  /** A counter. The element reads the history again when it changes. */
  @property({ type: Number }) version = 0;
  #shown = PAGE;
  readonly #page = new Load(this, async () => {
    const page = await read<Omit<Page, keyof Labels>>(`${this.path}/history`, { per_page: String(this.#shown) });
    const changes = page.items.flatMap((entry) => entry.changes ?? []);
    const columns = changes.length > 0 ? await readColumns(this.resource) : [];
    const isForm = changes.some(({ path }) => path.startsWith('/form_values/'));
    return { ...page, columns, formItems: isForm ? await this.#formItems() : new Map<string, Item>() };
  });

  async #formItems(): Promise<Labels['formItems']> {
    if (!(await readCatalogue()).mayCall('GET', FORMS)) return new Map();
    const parameters = { resource: this.resource, opportunity_id: String(this.opportunity), per_page: '200' };
    const items = (await read<readonly Form[]>(FORMS, parameters)).flatMap(({ sections }) =>
      sections.flatMap((section) => section.items),
    );
    return new Map(items.map((item) => [String(item.id), item]));
  }

  protected override willUpdate(changes: PropertyValues<this>): void {
    if (changes.get('version') !== undefined) void this.#page.run();
  }

  protected override render(): TemplateResult {
    return html`<section class="card" aria-labelledby="timeline-heading">
      <h2 id="timeline-heading">${t('timeline')}</h2>
      ${this.#page.render(
        (page) => html`
        <ol class="timeline">${page.items.map((entry) => this.#entry(entry, page))}</ol>
        ${page.has_more ? html`<button type="button" @click=${this.#more}>${t('older')}</button>` : nothing}
      `,
      )}
    </section>`;
  }

  #entry({ type, date, from, to, comment, changes }: Entry, labels: Labels): TemplateResult {
    return html`<li>
      <time datetime=${date} class="muted">${formatTime(date)}</time>
      <strong>${t(type)}</strong>
      ${to ? html`<p>${from ? html`<bdi>${from.name}</bdi> ${arrow()} ` : nothing}<b>${to.name}</b></p>` : nothing}
      ${comment === null ? nothing : html`<blockquote><bdi>${comment}</bdi></blockquote>`}
      ${changes?.length ? html`<ul>${changes.map((change) => this.#change(change, labels))}</ul>` : nothing}
    </li>`;
  }

  #change({ path, old, new: present }: Change, { columns, formItems }: Labels): TemplateResult {
    const [name = '', part = ''] = namesIn(path);
    const column = columns.find((one) => one.name === name);
    const formItem = name === 'form_values' ? formItems.get(part.split(':', 1)[0] ?? '') : undefined;
    const label = formItem?.label ?? column?.label ?? labelOf(part || name);
    const heading = /[?؟]$/.test(label) ? label : `${label}:`;
    const kind = KINDS[formItem?.type ?? ''] ?? column?.kind ?? 'text';
    const show = (value: unknown): unknown => {
      const reference = referenceOf(value, name, this.resource);
      if (reference)
        return html`<ats-item-link .url=${reference.url} .collection=${reference.collection}
          .itemId=${reference.id}></ats-item-link>`;
      if (typeof value === 'boolean') return t(value ? 'yes' : 'no');
      return html`<bdi>${short(labelsOf(value, formItem?.options ?? []), kind, part || name)}</bdi>`;
    };
    return html`<li><bdi class="muted" title=${path}>${heading}</bdi> ${show(old)} ${arrow()} ${show(present)}</li>`;
  }

  readonly #more = (): void => {
    this.#shown += 4 * PAGE;
    void this.#page.run();
  };
}

/** Maps types of form items to kinds, for the types whose values are formatted. */
const KINDS: Readonly<Record<string, Kind>> = { decimal: 'decimal', date: 'date', datetime: 'datetime' };

/** Returns an arrow that points from the old value to the new value, in the writing direction of the language. */
const arrow = (): string => (directionOf(language()) === 'rtl' ? '←' : '→');

/** Replaces the chosen options in a value by their labels. */
const labelsOf = (value: unknown, options: Item['options']): unknown =>
  Array.isArray(value)
    ? value.map((one) => labelsOf(one, options))
    : (options.find((option) => option.value === value)?.label ?? value);

const LONGEST = 80;
const short = (value: unknown, kind: Kind, name: string): string => {
  const text = textOf(value, kind, name);
  if (text === '') return '–';
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
};
