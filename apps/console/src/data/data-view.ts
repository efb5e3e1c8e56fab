import { Load } from '@ats/elements/parts';
import { html, type TemplateResult } from 'lit';
import { customElement } from 'lit/decorators.js';
import { href } from '../app/router.js';
import { ViewElement } from '../app/view.js';
import '../parts/call-button.js';
import { type Call } from '../parts/call-samples.js';
import './data.css';
import { type Collection } from './catalogue.js';
import { descriptionOf } from './description.js';
import { readCatalogue } from './service.js';
import { t } from './texts.js';
import { t as titles } from './titles.js';

/** The call that the view shows as a sample. The OpenAPI document lists the collections. */
const CALL: Call = { method: 'GET', path: '/openapi.json', operation: 'referenceGetOpenapi' };

/** Shows all collections that the credential may read, in the groups of the API reference. */
@customElement('ats-data-view')
export class DataView extends ViewElement {
  /** The language of the titles. When the user changes the language, the view reads the catalogue again. */
  #readIn = this.language;
  readonly #loaded = new Load(this, readCatalogue);

  protected override updated(): void {
    if (this.#readIn === this.language) return;
    this.#readIn = this.language;
    void this.#loaded.run();
  }

  protected override render(): TemplateResult {
    return html`<header class="row"><h1>${titles('data')}</h1> <ats-call-button .call=${CALL}></ats-call-button></header>
      <p class="muted">${t('dataHint')}</p>
      ${this.#loaded.render(({ collections }) => this.#groups(collections))}`;
  }

  #groups(collections: readonly Collection[]): TemplateResult | readonly TemplateResult[] {
    if (collections.length === 0) return html`<p class="empty">${t('noCollections')}</p>`;
    const groups = [...new Set(collections.map(({ group }) => group))];
    return groups.map(
      (group) => html`<section>
      <h2>${group}</h2>
      <ul class="collections">
        ${collections
          .filter((one) => one.group === group)
          .map(
            ({ name, title, description }) => html`<li class="card">
          <a href=${href(`data/${name}`)}>${title}</a>
          <p class="muted">${descriptionOf(description)}</p>
        </li>`,
          )}
      </ul>
    </section>`,
    );
  }
}
