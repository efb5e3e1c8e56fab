import { directionOf, Load } from '@ats/elements/parts';
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { formatTime, language } from '../app/i18n.js';
import { ConsoleElement } from '../app/view.js';
import { read } from '../data/service.js';
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
  readonly changes: readonly { readonly path: string; readonly old: unknown; readonly new: unknown }[] | null;
}
interface Page {
  readonly items: readonly Entry[];
  readonly has_more: boolean;
}

const PAGE = 20;

/** The history of an application. The newest entry comes first. */
@customElement('ats-application-timeline')
export class ApplicationTimeline extends ConsoleElement {
  @property() path = '';
  /** A change of this number makes the element read the history again. */
  @property({ type: Number }) version = 0;
  #shown = PAGE;
  readonly #page = new Load(this, () => read<Page>(`${this.path}/history`, { per_page: String(this.#shown) }));

  protected override willUpdate(changes: PropertyValues<this>): void {
    if (changes.get('version') !== undefined) void this.#page.run();
  }

  protected override render(): TemplateResult {
    return html`<section class="card" aria-labelledby="timeline-heading">
      <h2 id="timeline-heading">${t('timeline')}</h2>
      ${this.#page.render(
        ({ items, has_more }) => html`
        <ol class="timeline">${items.map((entry) => this.#entry(entry))}</ol>
        ${has_more ? html`<button type="button" @click=${this.#more}>${t('older')}</button>` : nothing}
      `,
      )}
    </section>`;
  }

  #entry({ type, date, from, to, comment, changes }: Entry): TemplateResult {
    return html`<li>
      <time datetime=${date} class="muted">${formatTime(date)}</time>
      <strong>${t(type)}</strong>
      ${to ? html`<p>${from ? html`<bdi>${from.name}</bdi> ${arrow()} ` : nothing}<b>${to.name}</b></p>` : nothing}
      ${comment === null ? nothing : html`<blockquote dir="auto">${comment}</blockquote>`}
      ${
        changes?.length
          ? html`<ul>${changes.map(
              (one) => html`<li>
                <code dir="ltr">${one.path}</code> <bdi>${short(one.old)}</bdi> ${arrow()} <bdi>${short(one.new)}</bdi>
              </li>`,
            )}</ul>`
          : nothing
      }
    </li>`;
  }

  readonly #more = (): void => {
    this.#shown += 4 * PAGE;
    void this.#page.run();
  };
}

/** Returns an arrow that points from the old value to the new value, in the writing direction of the language. */
const arrow = (): string => (directionOf(language()) === 'rtl' ? '←' : '→');

const LONGEST = 80;
const short = (value: unknown): string => {
  if (value === null || value === undefined || value === '') return '–';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
};
