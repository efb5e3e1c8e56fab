import { html, nothing, type TemplateResult } from 'lit';
import { customElement } from 'lit/decorators.js';
import { href } from '../app/router.js';
import { ViewElement } from '../app/view.js';
import '../parts/problem.js';
import './data.css';
import { type Collection } from './catalogue.js';
import { englishText } from './english.js';
import { readCatalogue } from './service.js';
import { t } from './texts.js';
import { t as titles } from './titles.js';

/** Shows all collections that the credential may read, in the groups of the API reference. */
@customElement('ats-data-view')
export class DataView extends ViewElement {
  #collections: readonly Collection[] | undefined;
  #error: unknown;

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#load();
  }

  async #load(): Promise<void> {
    try {
      this.#collections = (await readCatalogue()).collections;
    } catch (error) {
      this.#error = error;
    }
    this.requestUpdate();
  }

  protected override render(): TemplateResult {
    return html`<header class="page-header"><h1>${titles('data')}</h1><p class="muted">${t('dataHint')}</p></header>
      ${this.#error === undefined ? nothing : html`<ats-problem .error=${this.#error}></ats-problem>`} ${this.#groups()}`;
  }

  #groups(): TemplateResult | readonly TemplateResult[] {
    const collections = this.#collections;
    if (!collections) return this.#error === undefined ? html`<p role="status">${t('loading')}</p>` : [];
    if (collections.length === 0) return html`<p class="empty">${t('noCollections')}</p>`;
    const groups = [...new Set(collections.map(({ group }) => group))];
    return groups.map(
      (group) => html`<section>
      <h2 lang="en">${group}</h2>
      <ul class="collections">
        ${collections
          .filter((one) => one.group === group)
          .map(
            ({ name, title, description }) => html`<li class="card">
          <a href=${href(`data/${name}`)} lang="en">${title}</a>
          <p class="muted">${englishText(description)}</p>
        </li>`,
          )}
      </ul>
    </section>`,
    );
  }
}
