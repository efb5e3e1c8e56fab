import { ApiError } from '@ats/client';
import { Load } from '@ats/elements/parts';
import { html, nothing, type TemplateResult } from 'lit';
import { customElement } from 'lit/decorators.js';
import { href } from '../app/router.js';
import { ViewElement } from '../app/view.js';
import { itemCallOf } from '../data/calls.js';
import { type Collection, type MayCall } from '../data/catalogue.js';
import '../data/data.css';
import { OWN_PAGES } from '../data/links.js';
import { readCatalogue, send } from '../data/service.js';
import { nameOf } from '../data/values.js';
import '../parts/call-button.js';
import './application-documents.js';
import './application-forms.js';
import './application-messages.js';
import './application-moves.js';
import './application-timeline.js';
import './applications.css';
import { t } from './texts.js';
import { t as titles } from './titles.js';

const DOCUMENTS = '/api/v1/documents';

/** The properties of an application that the page reads. */
export interface Application {
  readonly id: number;
  readonly reference: string;
  readonly opportunity: { readonly id: number; readonly title: string; readonly kind: string };
  readonly user: Readonly<Record<string, unknown>>;
  readonly score: number | null;
}

interface Loaded {
  readonly collection: Collection;
  readonly mayCall: MayCall;
  readonly application: Application;
}

/** Ignores the error that an item is missing (404). @throws every other error */
function unlessMissing(error: unknown): undefined {
  if (!(error instanceof ApiError) || error.status !== 404) throw error;
}

/** Shows one application: its state and moves, its timeline, forms, documents and messages. */
@customElement('ats-application-view')
export class ApplicationView extends ViewElement {
  /** The number of changes so far. Each change makes the timeline read the history again. */
  #changes = 0;
  readonly #loaded = new Load<Loaded | 'missing'>(this, () => this.#load());

  async #load(): Promise<Loaded | 'missing'> {
    const { collections, mayCall } = await readCatalogue();
    const collection = collections.find(({ name }) => name === this.params['collection'] && OWN_PAGES.includes(name));
    if (!collection) return 'missing';
    const found = await send<Application>('get', `${collection.path}/${this.params['id']}`).catch(unlessMissing);
    if (!found) return 'missing';
    const { data } = found;
    return { collection, mayCall, application: data };
  }

  protected override render(): TemplateResult {
    const { data, error } = this.#loaded;
    const heading = error === undefined || data ? nothing : html`<h1>${titles('application')}</h1>`;
    return html`${heading}${this.#loaded.render((loaded) =>
      loaded === 'missing' ? html`<h1>${titles('application')}</h1><p>${t('noApplication')}</p>` : this.#page(loaded),
    )}`;
  }

  #page({ collection, mayCall, application }: Loaded): TemplateResult {
    const { id, opportunity, user, reference, score } = application;
    const path = `${collection.path}/${id}`;
    const may = (method: string, part: string): boolean => mayCall(method, `${collection.path}/{id}/${part}`);
    return html`
      <p><a href=${href(`data/${collection.name}`)}>${collection.title}</a></p>
      <header class="row">
        <h1><bdi>${nameOf(user)}: ${opportunity.title}</bdi></h1>
        <ats-call-button .call=${itemCallOf(collection, id)}></ats-call-button>
      </header>
      <p class="muted">${reference} ${score === null ? nothing : html`· ${t('score', { score })}`} ·
        <a href=${href(`data/${collection.name}/${id}`)}>${t('allProperties')}</a></p>
      <div class="application">
        <div>
          <ats-application-moves .path=${path} .isWritable=${may('PUT', 'process_state')}
            @changed=${this.#changed}></ats-application-moves>
          ${
            mayCall('GET', '/api/v1/forms') && may('GET', 'form_values')
              ? html`<ats-application-forms .path=${path} .resource=${collection.name} .opportunity=${opportunity.id}
                  .application=${application}
                  .isWritable=${may('POST', 'form_values')} @changed=${this.#changed}></ats-application-forms>`
              : nothing
          }
          ${
            mayCall('GET', DOCUMENTS)
              ? html`<ats-application-documents .application=${id} .candidate=${Number(user['id'])}
                  .isWritable=${mayCall('POST', DOCUMENTS) && mayCall('PATCH', `${DOCUMENTS}/{id}`)}
                  .isDeletable=${mayCall('DELETE', `${DOCUMENTS}/{id}`)}></ats-application-documents>`
              : nothing
          }
          ${
            may('GET', 'comms')
              ? html`<ats-application-messages .path=${path} .isWritable=${may('POST', 'comms')}
                @changed=${this.#changed}></ats-application-messages>`
              : nothing
          }
        </div>
        ${
          may('GET', 'history')
            ? html`<ats-application-timeline .path=${path} .resource=${collection.name}
                .opportunity=${opportunity.id} .version=${this.#changes}></ats-application-timeline>`
            : nothing
        }
      </div>
    `;
  }

  readonly #changed = (): void => {
    this.#changes += 1;
    void this.#loaded.run();
  };
}
